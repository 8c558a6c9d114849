/*
 * print_numpy.h - a result as text, as NumPy prints it
 */
#ifndef CLI_PRINT_NUMPY_H
#define CLI_PRINT_NUMPY_H

#include "npyio/transfer/transfer.h"
#include "print_options.h"

/*
 * print_numpy() writes the output of t->job as text to t->out.  Of more than
 * 1000 elements only those at the edges are read and shown, unless how->form
 * is PRINT_FULL; then the output is in C order.
 */
enum tsl_status TSL_MUST_USE print_numpy(const struct npyio_transfer *t,
					 const struct print *how,
					 struct tsl_error *err);

#endif /* CLI_PRINT_NUMPY_H */
