/*
 * scatter_nd.h - tensor_scatter_nd_update: rows replaced where tuples say
 *
 *	out = in.copy(); out[indices[i..., :], j...] = updates[i..., j...]
 *
 * The inverse of gather_nd: the places are those that it would take rows from.
 * Of tuples that name the same place the last wins.
 *
 * Source: TensorFlow, core/kernels/scatter_nd_op.cc.
 */
#ifndef TSL_SCATTER_ND_H
#define TSL_SCATTER_ND_H

#include "gather_nd.h"

struct tsl_scatter_options {
	bool skip_bad; /* leave out a row whose index is out of range */
	bool refuse_duplicates; /* no place may be named twice */
	const struct tsl_mask *mask; /* of indices that are one, see mask.h */
};

struct tsl_scatter_job {
	struct tsl_job job; /* first: what the rows go over */
	struct tsl_scatter_options options;
	int indices; /* the number of this input; the source is the next */
	/*
	 * The gather that would take the updates from the output, in the order
	 * that it was made with: a row of it is what a tuple names.
	 */
	struct tsl_gather_job places;
};

/*
 * tsl_scatter_job_init() makes the job of inputs 'in', 'indices' and 'updates';
 * 'order' is that of the output.
 *
 * tsl_scatter_new_init() makes the one of inputs 'indices' and 'updates', in a
 * new array of 'shape', of known sizes, and updates' dtype, in which all else
 * is the element 'fill', which must outlive the job.
 *
 * In both 'updates' may be NULL, for an element that all of them are: it is the
 * job's fill, which the caller sets.  A mask has been checked and counted.
 *
 * Both return TSL_OK; in this order TSL_ETOO_LARGE (the new array),
 * TSL_EBAD_RANK, TSL_EBAD_INDEX_DTYPE, TSL_EINDEX_DEPTH, TSL_ERANK_LIMIT,
 * TSL_ETOO_LARGE, TSL_EEMPTY_PARAMS, TSL_EDTYPE_MISMATCH, TSL_ESHAPE_MISMATCH.
 */
enum tsl_status TSL_MUST_USE tsl_scatter_job_init(
	struct tsl_scatter_job *scatter, const struct tsl_array *in,
	const struct tsl_array *indices, const struct tsl_array *updates,
	const struct tsl_scatter_options *options, enum tsl_order order,
	struct tsl_error *err);
enum tsl_status TSL_MUST_USE tsl_scatter_new_init(
	struct tsl_scatter_job *scatter, const struct tsl_shape *shape,
	const char *fill, const struct tsl_array *indices,
	const struct tsl_array *updates,
	const struct tsl_scatter_options *options, enum tsl_order order,
	struct tsl_error *err);

/*
 * tsl_scatter_job_places() is scatter->places with the output as it is by now:
 * whoever writes over an array changes its order after the job was made.
 */
void tsl_scatter_job_places(const struct tsl_scatter_job *scatter,
			    struct tsl_gather_job *places);

/*
 * tsl_scatter_job_proof() is the same for who proves the tuples: elements
 * without bytes have one each, so that no two places are one.
 *
 * Returns TSL_OK; TSL_ETOO_LARGE, where these are more than fit int64_t.
 */
enum tsl_status TSL_MUST_USE
tsl_scatter_job_proof(const struct tsl_scatter_job *scatter,
		      struct tsl_gather_job *places, struct tsl_error *err);

/*
 * tsl_scatter_order_by_run() makes the job of putting updates in the order of
 * 'places' that are laid run by run.
 */
void tsl_scatter_order_by_run(struct tsl_job *job,
			      const struct tsl_gather_job *places,
			      const struct tsl_array *updates);

/*
 * What tuples can name is numbered from 0 in the order of the output's bytes:
 * tsl_scatter_count_places() is how many there are, and how many bytes after
 * one the next begins.  There must be rows.
 *
 * tsl_scatter_duplicate() fails with TSL_EDUPLICATE_INDEX in words about two
 * tuples that name the same one.
 */
int64_t tsl_scatter_count_places(const struct tsl_gather_job *places,
				 int64_t *apart);
enum tsl_status tsl_scatter_duplicate(const struct tsl_gather_job *places,
				      int64_t first_tuple, int64_t second_tuple,
				      int64_t place, struct tsl_error *err);

#endif /* TSL_SCATTER_ND_H */
