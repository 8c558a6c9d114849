/*
 * mask.h - boolean indices: the places where an array of bools is true
 *
 *	out[i, j...] = params[mask][i, j...]
 *
 * A mask is a gather whose tuples nobody wrote down: true element number i, in
 * C order, is tuple i.  How many there are decides the shape of the output, so
 * a mask is counted before there is a job, block by block; with how many come
 * before each block any part of the output can be made by itself.
 *
 * Source: NumPy's boolean indexing; with an axis numpy.compress.
 */
#ifndef TSL_OP_MASK_H
#define TSL_OP_MASK_H

#include "gather_nd.h"

/* Any byte but 0 is true.  All numbers are of ELEMENTS of the mask. */
struct tsl_mask {
	int64_t n;
	int64_t ntrue;
	int64_t block; /* elements of a block, a multiple of 64 */
	int64_t nblocks;
	/* nblocks + 1 numbers: the true ones before each block, and all */
	int64_t *before;
	uint64_t *bits; /* see lib/kernel/bits.h; NULL: too many to be held */
};

/* tsl_is_mask() says that indices are no indices, but a mask. */
bool tsl_is_mask(const struct tsl_array *indices);

/*
 * tsl_mask_check() says whether the shape of 'mask' is that of the dims of 'in'
 * from the first on, or, where 'axis' is not NULL, that of this one, which may
 * count from the end, and is stored from the front.
 *
 * Returns TSL_OK; TSL_EBAD_AXIS, TSL_ESHAPE_MISMATCH.
 */
enum tsl_status TSL_MUST_USE tsl_mask_check(const struct tsl_array *in,
					    const struct tsl_array *mask,
					    int64_t *axis,
					    struct tsl_error *err);

/*
 * tsl_mask_job_init() makes the job of taking from 'params' what 'mask', that
 * was counted in 'counted', which must outlive the job, names from 'axis' on;
 * they were checked.  The output has the order of params where the mask has but
 * one dim.
 *
 * Returns TSL_OK; TSL_ERANK_LIMIT, TSL_ETOO_LARGE.
 */
enum tsl_status TSL_MUST_USE tsl_mask_job_init(struct tsl_gather_job *gather,
					       const struct tsl_array *params,
					       const struct tsl_array *mask,
					       const struct tsl_mask *counted,
					       int64_t axis,
					       struct tsl_error *err);

/* tsl_mask_nbytes() is the memory that a counted mask takes. */
int64_t tsl_mask_nbytes(const struct tsl_mask *mask);

/*
 * tsl_mask_block() is the block that the true element with this number, which
 * there is, is in.
 */
int64_t tsl_mask_block(const struct tsl_mask *mask, int64_t number);

/*
 * tsl_mask_is_linear() says whether a row of a table begins where its element
 * of the mask is, times the bytes of a row; so that they stand in the table in
 * the order of the output.
 */
bool tsl_mask_is_linear(const struct tsl_gather_job *gather);

/*
 * tsl_mask_rows() stores at which byte of a table the rows of n true elements
 * begin, from number 'skip' of those in 'bits' on, which are a block's from
 * its first element on, and that one is element 'first' of the mask.
 */
void tsl_mask_rows(const struct tsl_gather_job *gather, const uint64_t *bits,
		   int64_t first, int64_t skip, int64_t n, int64_t row[]);

#endif /* TSL_OP_MASK_H */
