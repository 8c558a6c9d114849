/*
 * compare.h - whether two arrays hold the same elements, and where they do not
 *
 * Both are gone through together, box by box, whatever the order of either;
 * memory is bounded as it is for a transfer, see transfer.h.
 */
#ifndef NPYIO_COMPARE_H
#define NPYIO_COMPARE_H

#include "npyio/input/reader.h"

/*
 * A found is told of an element that differs: its number in C order, and what
 * it is in either array, in the dtype of the first.  They come in C order.
 */
typedef enum tsl_status npyio_found(void *context, int64_t number,
				    const char *a, const char *b,
				    struct tsl_error *err);

struct npyio_comparison {
	struct npyio_reader *const *in; /* two */
	int threads; /* at most; fewer where they would not pay */
	int64_t max_memory; /* bytes, NPYIO_MIN_MEMORY or more */
	int64_t max_mapped; /* of files, besides; see npyio_transfer */
	void (*progress)(int64_t nbytes); /* so many more of one are done */
	bool stop_early; /* at the first difference, whichever it is */
	int64_t list; /* how many are to be told of, at most */
	npyio_found *found;
	void *context;
};

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
