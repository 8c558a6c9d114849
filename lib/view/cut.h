/*
 * cut.h - a view cut into boxes, each small enough to be made at once
 */
#ifndef TSL_CUT_H
#define TSL_CUT_H

#include "view.h"

/* What a box may take, in BYTES; a single element may take more. */
struct tsl_cut_limits {
	int64_t out; /* of output */
	int64_t in; /* between the first and the last byte of its input */
	int64_t run; /* the least of it that should be taken from one place */
	bool in_order; /* boxes must follow each other in the output */
	bool is_aligned; /* runs had better begin where pages of a file do */
	int64_t origin; /* if so: where in the file the output begins, */
	int64_t element; /* and that bytes of so many each stay together */
};

/*
 * Boxes of one size, in a grid over the view; the last may be smaller.  The
 * dims from 'outer' on are one row after the other in the output, and a box is
 * of some rows a run each.
 */
struct tsl_cut {
	struct tsl_view view; /* with the dims in the order of the output */
	int64_t extent[TSL_MAX_DIMS + 1]; /* of a box, elements */
	int64_t count; /* of boxes */
	int outer;
	int64_t row, run; /* bytes: of a row, of a run of it at most */
	int64_t unit; /* runs begin at multiples of it in the file; or 0 */
	int64_t slack; /* then a box has so much more of a row at most */
	int64_t origin;
};

/* A box.  If runs are aligned it has a little more than they are. */
struct tsl_box {
	const struct tsl_cut *cut;
	struct tsl_view view;
	int64_t row; /* byte of output where its first row begins */
	int64_t begin, end; /* bytes of a row, before runs are aligned */
	int64_t at; /* byte of a row where the view begins */
};

/* Bytes that are side by side in the output; aligned ones may begin, and end,
   within an element of the view. */
struct tsl_run {
	int64_t first, nbytes; /* of the output */
	int64_t at; /* byte of the box in memory */
	int64_t index[TSL_MAX_DIMS + 1]; /* which of the box's runs it is */
};

/*
 * tsl_cut_init() chooses the boxes for a view that is not empty.  They follow
 * the output, whole dims from the innermost on, so that each is one run of
 * it; but where the input's neighbours are far apart in the output, boxes that
 * are long in both, if the order is free.
 *
 * Short runs take the kernel longer if they do not begin where large pages of
 * the page cache do: 256 MiB by pieces of 128 KiB in 64 places in turn 54 ms,
 * from multiples of 16 KiB on 40, of 64 KiB 33.
 */
void tsl_cut_init(struct tsl_cut *cut, const struct tsl_view *view,
		  const struct tsl_cut_limits *limits);

/* tsl_cut_nbytes() is how much memory a box takes at most. */
int64_t tsl_cut_nbytes(const struct tsl_cut *cut);

/* tsl_cut_box() makes box i of a cut, which must outlive it. */
void tsl_cut_box(const struct tsl_cut *cut, int64_t i, struct tsl_box *box);

/*
 * tsl_box_stride() stores how far apart in memory the elements of a box are, in
 * bytes: unless runs are aligned they are without gaps.
 */
void tsl_box_stride(const struct tsl_box *box, int64_t stride[]);

/*
 * tsl_box_first_run() stores the first run of a box, tsl_box_next_run() the
 * next one.  Returns false after the last.
 */
void tsl_box_first_run(const struct tsl_box *box, struct tsl_run *run);
bool tsl_box_next_run(const struct tsl_box *box, struct tsl_run *run);

/* tsl_box_is_one_run() says that there is no other. */
bool tsl_box_is_one_run(const struct tsl_box *box);

/*
 * tsl_cut_is_forward() says whether each box of the cut lies no further back
 * in the input than the one before it, and none spans more than 'limit' bytes:
 * whether they can be made from a stream as it comes.
 */
bool tsl_cut_is_forward(const struct tsl_cut *cut, int64_t limit);

#endif /* TSL_CUT_H */
