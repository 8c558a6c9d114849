/*
 * operands.h - inputs that are looked at here and there: indices, diagonals,
 * what is assigned
 */
#ifndef NPYIO_OPERANDS_H
#define NPYIO_OPERANDS_H

#include "npyio/transfer/common/request.h"

/*
 * npyio_keep_operands() gets the inputs beside the one that the job goes
 * through ready: by position, in C order, or in the order of the output if the
 * op wants it, and those whose elements go there in its byte order, too.
 *
 * Returns TSL_OK, or a status of the readers or the spool; TSL_EMEMORY.
 */
enum tsl_status TSL_MUST_USE npyio_keep_operands(const struct npyio_transfer *t,
						 struct tsl_error *err);

/*
 * npyio_keep_in_c_order() gets input i ready so, whatever it is for; of 't' the
 * inputs, threads and memory are looked at.
 */
enum tsl_status TSL_MUST_USE npyio_keep_in_c_order(
	const struct npyio_transfer *t, int i, struct tsl_error *err);

#endif /* NPYIO_OPERANDS_H */
