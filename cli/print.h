/*
 * print.h - a result as text, as NumPy prints it
 */
#ifndef CLI_PRINT_H
#define CLI_PRINT_H

#include "npyio/transfer/transfer.h"

/*
 * print_job() writes the output of t->job as text to t->out.  Of more than
 * 1000 elements only those at the edges are read and shown.  With 'overview'
 * a line with shape and dtype comes first.
 */
enum tsl_status TSL_MUST_USE print_job(const struct npyio_transfer *t,
				       bool overview, struct tsl_error *err);

#endif /* CLI_PRINT_H */
