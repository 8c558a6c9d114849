/*
 * dtype.c - the type of an array's elements
 */
#include "dtype.h"

#include <string.h>

const char *
tsl_dtype_name(const struct tsl_dtype *dtype, int *len)
{
	bool quoted = dtype->descr[0] == '\'';

	*len = (int)strlen(dtype->descr) - 2 * quoted;
	return dtype->descr + quoted;
}

bool
tsl_dtype_is_swapped(const struct tsl_dtype *dtype)
{
	bool little = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__;

	return dtype->order == (little ? '>' : '<');
}

int64_t
tsl_dtype_unit(const struct tsl_dtype *dtype)
{
	return dtype->kind == 'c'   ? dtype->size / 2
	       : dtype->kind == 'U' ? 4
				    : dtype->size;
}

bool
tsl_dtype_equal(const struct tsl_dtype *a, const struct tsl_dtype *b)
{
	/* '<f4': what stands behind quote and order mark. */
	bool plain = a->descr[0] == '\'' && b->descr[0] == '\'';

	return strcmp(a->descr + 2 * plain, b->descr + 2 * plain) == 0;
}

bool
tsl_dtype_is_integer(const struct tsl_dtype *dtype)
{
	return dtype->kind == 'i' || dtype->kind == 'u';
}

int64_t
tsl_dtype_load_int(const struct tsl_dtype *dtype, const char *bytes)
{
	bool big = dtype->order == '>';
	int n = (int)dtype->size;
	uint64_t v = 0;

	for (int i = 0; i < n; i++) {
		unsigned char byte = (unsigned char)bytes[big ? i : n - 1 - i];

		v = v << 8 | byte;
	}
	if (dtype->kind == 'i' && n < 8 && v >> (8 * n - 1))
		v |= ~UINT64_C(0) << 8 * n;
	return (int64_t)v;
}
