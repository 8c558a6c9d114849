/*
 * mask.c - indices that are a mask, counted before there is a job
 */
#include "mask.h"

#include "memory.h"

enum tsl_status
mask_count(struct tsl_mask *mask, const struct common_options *co,
	   struct npyio_reader *in, struct tsl_error *err)
{
	int64_t work = tsl_array_extent(npyio_reader_array(in));

	/* Another mask may have been counted before. */
	npyio_mask_close(mask);
	return npyio_mask_open(mask, in, co->threads, memory_for(co, work),
			       err);
}
