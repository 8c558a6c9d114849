/*
 * print.h - a result as text
 */
#ifndef CLI_PRINT_H
#define CLI_PRINT_H

#include "npyio/transfer/transfer.h"
#include "print_options.h"

/*
 * print_needs_c_order() says whether print_job() takes the elements one by one
 * in C order, so that the output had better be in that order.
 */
bool print_needs_c_order(enum print_form form);

/* print_job() writes the output of t->job as text to t->out. */
enum tsl_status TSL_MUST_USE print_job(const struct npyio_transfer *t,
				       const struct print *how,
				       struct tsl_error *err);

#endif /* CLI_PRINT_H */
