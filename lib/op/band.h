/*
 * band.h - a band of diagonals of a batch of matrices, and the same packed
 *
 * The matrices are [..., nrows, ncols].  Diagonal d holds the elements with
 * column - row = d; the band is diagonals lower to upper.  Packed they are
 * [..., ndiags, max_len], a diagonal a row, the highest first, padded to the
 * length of the longest; 'align' says at which end the padding is.  A band of
 * one diagonal is packed as [..., max_len].
 *
 * Source: TensorFlow, core/kernels/linalg/matrix_set_diag_op.cc and
 * matrix_diag_op.cc.
 */
#ifndef TSL_BAND_H
#define TSL_BAND_H

#include "lib/base/shape.h"
#include "lib/view/view.h"

/* Superdiagonals first, then subdiagonals. */
enum tsl_align {
	TSL_ALIGN_RIGHT_LEFT,
	TSL_ALIGN_LEFT_RIGHT,
	TSL_ALIGN_LEFT_LEFT,
	TSL_ALIGN_RIGHT_RIGHT,
};

struct tsl_band_options {
	int64_t lower, upper; /* int32 in range; lower <= upper */
	enum tsl_align align;
};

struct tsl_band {
	struct tsl_band_options options;
	int64_t nrows, ncols; /* of a matrix */
	int64_t ndiags;
	int64_t max_len; /* of a diagonal */
};

/*
 * tsl_band_init() finds the band in 'matrices'.
 *
 * Returns TSL_OK; in this order TSL_EBAD_RANK, TSL_EK_OUT_OF_RANGE,
 * TSL_EK_ORDER.
 */
enum tsl_status TSL_MUST_USE
tsl_band_init(struct tsl_band *band, const struct tsl_array *matrices,
	      const struct tsl_band_options *options, struct tsl_error *err);

/* tsl_band_length() is the number of elements of diagonal d of the band. */
int64_t tsl_band_length(const struct tsl_band *band, int64_t d);

/* tsl_band_padding() is how far into its packed row diagonal d begins. */
int64_t tsl_band_padding(const struct tsl_band *band, int64_t d);

/* tsl_band_shape() is the shape of the packed diagonals of 'matrices'. */
struct tsl_shape tsl_band_shape(const struct tsl_band *band,
				const struct tsl_array *matrices);

/*
 * tsl_band_select() makes the views of diagonal d of all matrices, where it
 * lies in them and where packed: of equal dims, [..., tsl_band_length()].
 */
void tsl_band_select(const struct tsl_band *band,
		     const struct tsl_array *matrices,
		     const struct tsl_array *packed, int64_t d,
		     struct tsl_view *in_matrices, struct tsl_view *in_packed);

/*
 * Diagonals lower to upper of the band, over which the elements of a row of the
 * matrix lie evenly apart in the packed array, too; with the rows that have
 * any.
 */
struct tsl_band_part {
	int64_t lower, upper;
	int64_t first, nrows;
};

#define TSL_BAND_PARTS 3

/* tsl_band_parts() makes the band's parts, the lowest first; returns how many.
 */
int tsl_band_parts(const struct tsl_band *band,
		   struct tsl_band_part part[TSL_BAND_PARTS]);

/*
 * tsl_band_part_init() makes the part of diagonals lower to upper, of which
 * there may be none, and then no rows.
 */
void tsl_band_part_init(const struct tsl_band *band, int64_t lower,
			int64_t upper, struct tsl_band_part *part);

/*
 * tsl_band_select_row() makes the views of the elements that a row of the part
 * has in all matrices, like tsl_band_select(): [..., how many].
 */
void tsl_band_select_row(const struct tsl_band *band,
			 const struct tsl_array *matrices,
			 const struct tsl_array *packed,
			 const struct tsl_band_part *part, int64_t row,
			 struct tsl_view *in_matrices,
			 struct tsl_view *in_packed);

#endif /* TSL_BAND_H */
