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

/*
 * The next byte order mark in a type's text from 'i' on, or its end.  A string
 * is a type unless it stands behind a bracket, or in a pair of names: "(('".
 */
static size_t
next_mark(const char *descr, size_t i, bool *in_names)
{
	for (; descr[i] != '\0'; i++) {
		char c = descr[i];

		if (c == '(' && descr[i + 1] == '(')
			*in_names = true;
		else if (c == ')')
			*in_names = false;
		if (c != '\'' && c != '"')
			continue;
		if (!*in_names && (i == 0 || descr[i - 1] != '('))
			return i + 1;
		for (i++; descr[i] != c; i++)
			i += descr[i] == '\\';
	}
	return i;
}

bool
tsl_dtype_equal(const struct tsl_dtype *a, const struct tsl_dtype *b)
{
	size_t len = strlen(a->descr);
	bool in_names = false;

	if (strlen(b->descr) != len)
		return false;
	for (size_t i = 0; i < len;) {
		size_t mark = next_mark(a->descr, i, &in_names);

		if (memcmp(a->descr + i, b->descr + i, mark - i) != 0)
			return false;
		i = mark;
		if (mark == len)
			break;
		/* Behind the mark, up to the quote that ends the type. */
		do {
			i++;
			if (a->descr[i] != b->descr[i])
				return false;
		} while (a->descr[i] != '\'');
		i++;
	}
	return true;
}

bool
tsl_dtype_is_integer(const struct tsl_dtype *dtype)
{
	return dtype->kind == 'i' || dtype->kind == 'u';
}

/* One loop for each type, with nothing to decide inside. */
#define LOAD(name, word, type, swap)                                           \
	static void name(const char *bytes, int64_t n, int64_t values[])       \
	{                                                                      \
		for (int64_t i = 0; i < n; i++) {                              \
			word v;                                                \
                                                                               \
			memcpy(&v, bytes + i * (int64_t)sizeof(v), sizeof(v)); \
			values[i] = (int64_t)(type)swap(v);                    \
		}                                                              \
	}

#define AS_IT_IS(v) (v)
LOAD(load_i1, uint8_t, int8_t, AS_IT_IS)
LOAD(load_i2, uint16_t, int16_t, AS_IT_IS)
LOAD(load_i4, uint32_t, int32_t, AS_IT_IS)
LOAD(load_i8, uint64_t, int64_t, AS_IT_IS)
LOAD(load_u1, uint8_t, uint8_t, AS_IT_IS)
LOAD(load_u2, uint16_t, uint16_t, AS_IT_IS)
LOAD(load_u4, uint32_t, uint32_t, AS_IT_IS)
LOAD(load_swapped_i2, uint16_t, int16_t, __builtin_bswap16)
LOAD(load_swapped_i4, uint32_t, int32_t, __builtin_bswap32)
LOAD(load_swapped_i8, uint64_t, int64_t, __builtin_bswap64)
LOAD(load_swapped_u2, uint16_t, uint16_t, __builtin_bswap16)
LOAD(load_swapped_u4, uint32_t, uint32_t, __builtin_bswap32)

typedef void load_function(const char *bytes, int64_t n, int64_t values[]);

void
tsl_dtype_load_ints(const struct tsl_dtype *dtype, const char *bytes, int64_t n,
		    int64_t values[])
{
	/* By signedness, byte order and size; a uint64 is read as it wraps. */
	static load_function *const loads[2][2][4] = {
		{ { load_u1, load_u2, load_u4, load_i8 },
		  { load_u1, load_swapped_u2, load_swapped_u4,
		    load_swapped_i8 } },
		{ { load_i1, load_i2, load_i4, load_i8 },
		  { load_i1, load_swapped_i2, load_swapped_i4,
		    load_swapped_i8 } },
	};
	int size = __builtin_ctzll((unsigned long long)dtype->size);

	loads[dtype->kind == 'i'][tsl_dtype_is_swapped(dtype)][size](bytes, n,
								     values);
}
