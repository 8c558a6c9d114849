/*
 * duplicates.h - whether two index tuples name the same place
 */
#ifndef NPYIO_DUPLICATES_H
#define NPYIO_DUPLICATES_H

#include "tuples.h"

/*
 * npyio_refuse_duplicates() looks at all tuples for the first that names a
 * place which another one named before; tuples without a place do not count.
 *
 *	tuples	of a scatter's places, which has rows
 *	room	bytes of memory to use
 *
 * Returns TSL_OK; TSL_EDUPLICATE_INDEX; TSL_EMEMORY; what reading returns.
 */
enum tsl_status TSL_MUST_USE npyio_refuse_duplicates(
	struct npyio_tuples *tuples, int64_t room, struct tsl_error *err);

#endif /* NPYIO_DUPLICATES_H */
