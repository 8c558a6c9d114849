/*
 * shape.h - a shape, perhaps with unknown sizes or of unknown rank
 *
 * The state of tensorflow-java's org.tensorflow.ndarray.Shape: a list of
 * sizes in ELEMENTS, -1 for one that is not known, or nothing known at all.
 * No I/O, no allocation.
 */
#ifndef TSL_SHAPE_H
#define TSL_SHAPE_H

#include "array.h"
#include "status.h"

#include <stddef.h>

#define TSL_UNKNOWN (-1) /* a size, a count or a rank that is not known */

struct tsl_shape {
	int ndim; /* 0..TSL_MAX_DIMS, or TSL_UNKNOWN */
	int64_t dim[TSL_MAX_DIMS]; /* >= 0, or TSL_UNKNOWN */
};

/* Room for the longest text that tsl_shape_format() writes, NUL included. */
#define TSL_SHAPE_TEXT (TSL_MAX_DIMS * 22 + 8)

/* tsl_shape_of() is the shape of an array; nothing in it is unknown. */
struct tsl_shape tsl_shape_of(const struct tsl_array *a);

/* tsl_shape_is_known() says that rank and sizes are all known. */
bool tsl_shape_is_known(const struct tsl_shape *s);

/*
 * What follows is the algebra.  A failure on an unknown rank is
 * TSL_EUNKNOWN_RANK; indices are into 's', not elements of anything.
 */

/* tsl_shape_has_unknown(): the rank, or any size. */
bool tsl_shape_has_unknown(const struct tsl_shape *s);

/*
 * tsl_shape_size() stores the number of elements, TSL_UNKNOWN if the rank or
 * any size is.  Returns TSL_OK; TSL_EOVERFLOW if it does not fit.
 */
enum tsl_status TSL_MUST_USE tsl_shape_size(const struct tsl_shape *s,
					    int64_t *size,
					    struct tsl_error *err);

/*
 * tsl_shape_dim() stores size i, counted from the end if negative; of an
 * unknown rank every size is TSL_UNKNOWN.
 *
 * Returns TSL_OK; TSL_EINDEX_OUT_OF_BOUNDS.
 */
enum tsl_status TSL_MUST_USE tsl_shape_dim(const struct tsl_shape *s, int64_t i,
					   int64_t *dim, struct tsl_error *err);

/*
 * tsl_shape_sub() stores sizes [begin, end); 'out' may be 's'.
 *
 * Returns TSL_OK; TSL_EUNKNOWN_RANK, TSL_EINDEX_OUT_OF_BOUNDS,
 * TSL_ENEGATIVE_SIZE if end is less than begin.
 */
enum tsl_status TSL_MUST_USE tsl_shape_sub(struct tsl_shape *out,
					   const struct tsl_shape *s,
					   int64_t begin, int64_t end,
					   struct tsl_error *err);

/* tsl_shape_take() and tsl_shape_take_last(): the first or last n sizes. */
enum tsl_status TSL_MUST_USE tsl_shape_take(struct tsl_shape *out,
					    const struct tsl_shape *s,
					    int64_t n, struct tsl_error *err);
enum tsl_status TSL_MUST_USE tsl_shape_take_last(struct tsl_shape *out,
						 const struct tsl_shape *s,
						 int64_t n,
						 struct tsl_error *err);

/* tsl_shape_head(): the first size; tsl_shape_tail(): all others, if any. */
enum tsl_status TSL_MUST_USE tsl_shape_head(struct tsl_shape *out,
					    const struct tsl_shape *s,
					    struct tsl_error *err);
enum tsl_status TSL_MUST_USE tsl_shape_tail(struct tsl_shape *out,
					    const struct tsl_shape *s,
					    struct tsl_error *err);

/*
 * tsl_shape_join() stores the sizes of 'a', then those of 'b'; 'out' may be
 * either.  Returns TSL_OK; TSL_EUNKNOWN_RANK, TSL_ERANK_LIMIT.
 */
enum tsl_status TSL_MUST_USE tsl_shape_join(struct tsl_shape *out,
					    const struct tsl_shape *a,
					    const struct tsl_shape *b,
					    struct tsl_error *err);

/* Two sizes are compatible if they are equal or one is not known. */
bool tsl_dim_is_compatible(int64_t a, int64_t b);

/* Of equal rank, each size compatible; an unknown rank is with any. */
bool tsl_shape_is_compatible(const struct tsl_shape *a,
			     const struct tsl_shape *b);

/* Equal, and known to be: a shape with an unknown size equals none. */
bool tsl_shape_equals(const struct tsl_shape *a, const struct tsl_shape *b);

/*
 * tsl_shape_parse() reads the whole of text[0, len) as a shape literal:
 * "(2, 3, ?)", "[2,3,-1]", "2,3,?", "()", "unknown".
 *
 * Returns TSL_OK; TSL_ESYNTAX; TSL_EOVERFLOW for a size that does not fit;
 * TSL_ERANK_LIMIT for more than TSL_MAX_DIMS sizes.
 */
enum tsl_status TSL_MUST_USE tsl_shape_parse(struct tsl_shape *s,
					     const char *text, size_t len,
					     struct tsl_error *err);

/*
 * tsl_shape_format() writes 's' as Python prints a tuple, "?" for a size that
 * is not known and "unknown" for the rank, into TSL_SHAPE_TEXT bytes.
 * tsl_shape_format_list() writes it as Java's toString(): "[2, -1]", "null".
 */
void tsl_shape_format(const struct tsl_shape *s, char *text);
void tsl_shape_format_list(const struct tsl_shape *s, char *text);

#endif /* TSL_SHAPE_H */
