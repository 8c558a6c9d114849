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
