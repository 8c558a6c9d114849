/*
 * print_text.h - a result as a table of numbers and words, for other programs
 */
#ifndef CLI_PRINT_TEXT_H
#define CLI_PRINT_TEXT_H

#include "npyio/transfer/transfer.h"
#include "print_options.h"

/*
 * print_text() writes the output of t->job, which is in C order, as text to
 * t->out while it is made, however large it is.
 */
enum tsl_status TSL_MUST_USE print_text(const struct npyio_transfer *t,
					const struct print *how,
					struct tsl_error *err);

#endif /* CLI_PRINT_TEXT_H */
