/*
 * dtype.h - the type of an array's elements
 *
 * Sizes are in BYTES.
 */
#ifndef TSL_DTYPE_H
#define TSL_DTYPE_H

#include "minifloat.h"

#include <stdbool.h>
#include <stdint.h>

/*
 * An element is opaque bytes; only an index array's are ever interpreted.
 * 'descr' is the type as numpy.save spells it ('<f4' with its quotes, or a
 * list of fields) in UTF-8; it belongs to whoever made the dtype, most often
 * an open input, and is NULL where only a shape is known.
 */
struct tsl_dtype {
	char kind; /* b i u f c S U V M m; a structured type is V */
	char order; /* '<', '>', or '|' where it means nothing */
	int64_t size; /* bytes per element, 0..2^31-1 */
	const char *descr;
	/* What an element of kind V is a number of; or none. */
	enum tsl_minifloat number;
};

/*
 * tsl_dtype_name() is the type as people know it, '<f4' without its quotes, or
 * bfloat16: '*len' bytes.
 */
const char *tsl_dtype_name(const struct tsl_dtype *dtype, int *len);

/* tsl_dtype_text() is the same with its quotes, where it has them. */
const char *tsl_dtype_text(const struct tsl_dtype *dtype);

/* tsl_dtype_number_kind() is f for a number that is of no kind of NumPy's. */
static inline char
tsl_dtype_number_kind(const struct tsl_dtype *dtype)
{
	return dtype->number ? 'f' : dtype->kind;
}

/* tsl_dtype_is_swapped() says that its bytes are not in this machine's order.
 */
bool tsl_dtype_is_swapped(const struct tsl_dtype *dtype);

/*
 * tsl_dtype_equal() compares two types without their byte orders, those of the
 * fields of a structured type included.  Bytes without a name, such as |V1,
 * are equal to any number of that size that NumPy does not know.
 */
bool tsl_dtype_equal(const struct tsl_dtype *a, const struct tsl_dtype *b);

/* tsl_dtype_is_integer() says whether tsl_dtype_load_ints() can read it. */
bool tsl_dtype_is_integer(const struct tsl_dtype *dtype);

/*
 * tsl_dtype_load_ints() stores the n integers at 'bytes', which need no
 * alignment.  A uint64 above INT64_MAX comes out negative.
 */
void tsl_dtype_load_ints(const struct tsl_dtype *dtype, const char *bytes,
			 int64_t n, int64_t values[]);

#endif /* TSL_DTYPE_H */
