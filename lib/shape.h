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
 */
void tsl_shape_format(const struct tsl_shape *s, char *text);

#endif /* TSL_SHAPE_H */
