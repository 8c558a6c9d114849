/*
 * comparison.h - which two arrays are compared, and what is to be told of it
 */
#ifndef NPYIO_COMPARISON_H
#define NPYIO_COMPARISON_H

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

#endif /* NPYIO_COMPARISON_H */
