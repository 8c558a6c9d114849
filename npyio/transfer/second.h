/*
 * second.h - indices and diagonals: where they can be looked at here and there
 */
#ifndef NPYIO_SECOND_H
#define NPYIO_SECOND_H

#include "request.h"

/*
 * npyio_keep_second() does so with all of indices or diagonals, and puts them
 * in C order.
 */
enum tsl_status TSL_MUST_USE npyio_keep_second(const struct npyio_transfer *t,
					       struct tsl_error *err);

#endif /* NPYIO_SECOND_H */
