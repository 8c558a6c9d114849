/*
 * element.h - one element of an array as text, as NumPy shows it
 *
 * Elements of a structured type are record.h's; here are those that they, and
 * all other arrays, are made of.
 */
#ifndef CLI_ELEMENT_H
#define CLI_ELEMENT_H

#include "datetime.h"
#include "lib/base/array.h"
#include "npyio/format/text.h"
#include "numpy_float.h"

/* Where it stands: alone it looks different. */
enum element_place {
	ELEMENT_IN_ARRAY,
	ELEMENT_ALONE, /* the whole of an array without axes */
	ELEMENT_IN_RECORD, /* in a structured element that is alone */
	ELEMENT_IN_RECORD_ARRAY, /* in an array in such a one */
};

struct element_format {
	struct tsl_dtype dtype; /* descr: NULL */
	struct time_step step; /* of kinds M and m */
	enum element_place place;
	bool any, any_nat; /* numbers, and dates that are none */
	int64_t least, most; /* of integers and dates */
	int width; /* of integers and dates */
	struct numpy_float part[2]; /* real and imaginary */
};

/* 'step' is that of a date or time span; 'precision' is numpy_float.h's. */
void element_format_init(struct element_format *f,
			 const struct tsl_dtype *dtype, struct time_step step,
			 enum element_place place, int precision);

/* element_measure() looks at one element; passes 0 and 1, all in each. */
#define ELEMENT_PASSES NUMERAL_PASSES
void element_measure(struct element_format *f, int pass, const char *bytes);

/* element_write() appends the text of one element. */
void element_write(const struct element_format *f, const char *bytes,
		   struct npyio_text *out);

/*
 * element_real() is the real number of 1, 2, 4, 8 or 16 bytes, and
 * element_int() the integer, or date, of a type at 'bytes'.
 */
long double element_real(const struct tsl_dtype *t, const char *bytes,
			 int nbytes);
int64_t element_int(const struct tsl_dtype *t, const char *bytes);
#define ELEMENT_NAT INT64_MIN /* not a time */

/* element_minifloat() is the bits of a number of minifloat.h's. */
unsigned element_minifloat(const struct tsl_dtype *t, const char *bytes);

/*
 * element_char() is character i of a string of kind U, and element_len() how
 * many characters, or bytes, of a string of either kind count.
 */
uint32_t element_char(const struct tsl_dtype *t, const char *bytes, size_t i);
size_t element_len(const struct tsl_dtype *t, const char *bytes);

#endif /* CLI_ELEMENT_H */
