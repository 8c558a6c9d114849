/*
 * mask.h - indices that are a mask, counted before there is a job
 */
#ifndef CLI_MASK_H
#define CLI_MASK_H

#include "cli/option/options.h"
#include "npyio/transfer/count_mask.h"

/*
 * mask_count() is npyio_mask_open() with the threads and the memory that the
 * options allow.
 */
enum tsl_status TSL_MUST_USE mask_count(struct tsl_mask *mask,
					const struct common_options *co,
					struct npyio_reader *in,
					struct tsl_error *err);

#endif /* CLI_MASK_H */
