/*
 * cat.h - concatenate and stack: arrays side by side
 *
 * Written in its order, the output is rows: for each index of the axes outside
 * the one along which arrays are put together, what each of them has for it,
 * one behind the other.  Along the outermost axis there is a single row.
 *
 * Source: NumPy, numpy.concatenate and numpy.stack.
 */
#ifndef TSL_CAT_H
#define TSL_CAT_H

#include "job.h"

/* An array that becomes a part of the output. */
struct tsl_cat_part {
	const struct tsl_array *array;
	const char *name; /* what messages call it */
	int input; /* its number */
	/* What the job makes of it. */
	bool is_dense; /* its elements stand in the order of the output */
	bool is_turned; /* but not in its byte order */
	int64_t at; /* bytes: where in each row its own begin */
	int64_t nbytes; /* that are its own of each row */
};

struct tsl_cat_options {
	int64_t axis; /* of the output; negative: from the end */
	bool is_new; /* a new one: stack */
	enum tsl_order order; /* F, or else C */
	const struct tsl_dtype *dtype; /* of the output; NULL: the first's */
};

struct tsl_cat_job {
	struct tsl_job job;
	struct tsl_cat_part *part; /* those with elements; the caller's */
	int64_t nparts;
	int64_t nrows, row; /* row: bytes */
	int axis; /* counted in the order of the output, the slowest first */
	int64_t inner; /* bytes for each size of that axis in a row */
	bool is_new; /* the axis is none of the parts' */
	bool fortran; /* written in that order; as well for what is 1-D */
};

/*
 * A box of the output: 'extent' elements from 'start' on of each of its axes,
 * which are counted as the job's is.
 */
struct tsl_cat_box {
	int64_t start[TSL_MAX_DIMS], extent[TSL_MAX_DIMS];
};

/*
 * tsl_cat_job_init() checks that n > 0 parts go together and makes the job.
 * The job keeps part[], less those without elements.
 *
 *	first	the array that the others have to go with, and whose dtype
 *		the output has: part[0], or one that came before it
 *
 * Returns TSL_OK; in this order TSL_EBAD_RANK, TSL_EBAD_AXIS,
 * TSL_ERANK_LIMIT; for the first part that is at fault TSL_EDTYPE_MISMATCH,
 * TSL_ESHAPE_MISMATCH, with its input as the error's item; TSL_ETOO_LARGE.
 */
enum tsl_status TSL_MUST_USE
tsl_cat_job_init(struct tsl_cat_job *cat, struct tsl_cat_part part[], int64_t n,
		 const struct tsl_cat_part *first,
		 const struct tsl_cat_options *options, struct tsl_error *err);

/* tsl_cat_check() does all of that but for what is too large. */
enum tsl_status TSL_MUST_USE
tsl_cat_check(const struct tsl_cat_part part[], int64_t n,
	      const struct tsl_cat_part *first,
	      const struct tsl_cat_options *options, struct tsl_error *err);

/*
 * tsl_cat_is_outermost() says whether arrays like 'first' are written one
 * behind the other; false, too, where the options are wrong for them.
 */
bool tsl_cat_is_outermost(const struct tsl_array *first,
			  const struct tsl_cat_options *options);

/* tsl_cat_find() is the number of the part that byte 'at' of a row is of. */
int64_t tsl_cat_find(const struct tsl_cat_job *cat, int64_t at);

/*
 * tsl_cat_view() is a part's elements, coalesced, in the order of the output:
 * as many bytes for each row as are the part's own.
 */
void tsl_cat_view(const struct tsl_cat_job *cat,
		  const struct tsl_cat_part *part, struct tsl_view *view);

/*
 * tsl_cat_model() makes a view of n bytes of the output, all, or some sizes of
 * the axis of the only row, as if they came from one array that stands in the
 * other order: cut into boxes, it tells how those of parts that do are best
 * made.  tsl_cat_box_of() is one of them, if the model is from byte 'at' on.
 */
void tsl_cat_model(const struct tsl_cat_job *cat, int64_t n,
		   struct tsl_view *model);
void tsl_cat_box_of(const struct tsl_cat_job *cat, int64_t at,
		    const struct tsl_view *model, const struct tsl_view *cut,
		    struct tsl_cat_box *box);

/* tsl_cat_box_row() is how many bytes of the box are side by side in a row,
 * and '*nrows' how many rows it has. */
int64_t tsl_cat_box_row(const struct tsl_cat_job *cat,
			const struct tsl_cat_box *box, int64_t *nrows);

/*
 * tsl_cat_part_box() is what of the box is a part's, in the order of the
 * output, coalesced.  It stores at which byte of the box's rows it begins, and
 * returns how many bytes of each it is; 0: none.
 */
int64_t tsl_cat_part_box(const struct tsl_cat_job *cat,
			 const struct tsl_cat_part *part,
			 const struct tsl_cat_box *box, struct tsl_view *view,
			 int64_t *at);

#endif /* TSL_CAT_H */
