/*
 * take_small.h - the output of a take from tables that are small
 *
 * What is wanted of a table is held, or mapped, at once.  Tables are gone
 * through in the order of the input, so that a stream is used as it comes.
 */
#ifndef NPYIO_TAKE_SMALL_H
#define NPYIO_TAKE_SMALL_H

#include "npyio/transfer/common/output.h"

/*
 * npyio_write_take() writes the header and all the data, if the job is such a
 * take, and there is room for its tables; '*done' says whether there was.
 */
enum tsl_status TSL_MUST_USE npyio_write_take(const struct npyio_output *out,
					      bool *done,
					      struct tsl_error *err);

#endif /* NPYIO_TAKE_SMALL_H */
