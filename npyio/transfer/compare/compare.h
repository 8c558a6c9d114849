/*
 * compare.h - whether two arrays hold the same elements, and where they do not
 *
 * Both are gone through together, box by box, whatever the order of either;
 * memory is bounded as it is for a transfer, see transfer.h.
 */
#ifndef NPYIO_COMPARE_H
#define NPYIO_COMPARE_H

#include "comparison.h"

/*
 * npyio_compare() counts the elements that are not the same, bit for bit once
 * the byte orders are; bytes that belong to no element do not count.  The
 * arrays have the same shape, and dtypes as tsl_dtype_equal() wants them.
 *
 * Returns TSL_OK; a status of the readers, or of found(); TSL_EMEMORY.
 */
enum tsl_status TSL_MUST_USE npyio_compare(const struct npyio_comparison *c,
					   int64_t *count,
					   struct tsl_error *err);

#endif /* NPYIO_COMPARE_H */
