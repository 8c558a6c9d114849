/*
 * dtype.c - the type of an array's elements
 */
#include "dtype.h"

#include <string.h>

const char *
tsl_dtype_name(const struct tsl_dtype *dtype, int *len)
{
	bool quoted = dtype->descr[0] == '\'';

	if (dtype->number) {
		const char *name = tsl_minifloat_format(dtype->number)->name;

		*len = (int)strlen(name);
		return name;
	}
	*len = (int)strlen(dtype->descr) - 2 * quoted;
	return dtype->descr + quoted;
}

const char *
tsl_dtype_text(const struct tsl_dtype *dtype)
{
	return dtype->number ? tsl_minifloat_format(dtype->number)->name
			     : dtype->descr;
}

bool
tsl_dtype_is_swapped(const struct tsl_dtype *dtype)
{
	bool little = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__;

	return dtype->order == (little ? '>' : '<');
}

/* Two types' texts, alike so far; npyio's, and so known to be well formed. */
struct pair {
	const char *a, *b;
	size_t pos;
};

/* Moves 'n' bytes on if they are the same in both. */
static bool
skip(struct pair *p, size_t n)
{
	if (memcmp(p->a + p->pos, p->b + p->pos, n) != 0)
		return false;
	p->pos += n;
	return true;
}

/* A string of any kind, with its quotes. */
static bool
skip_string(struct pair *p)
{
	const char *s = p->a + p->pos;
	size_t n = 1;

	while (s[n] != s[0])
		n += s[n] == '\\' ? 2 : 1;
	return skip(p, n + 1);
}

/* What stands before the next type, name or bracket. */
static bool
skip_until(struct pair *p, const char *set)
{
	return skip(p, strcspn(p->a + p->pos, set));
}

/* 'name' or ('title', 'name'). */
static bool
skip_names(struct pair *p)
{
	if (p->a[p->pos] != '(')
		return skip_string(p);
	return skip(p, 1) && skip_string(p) && skip_until(p, "'\"") &&
	       skip_string(p) && skip(p, 1);
}

static bool skip_type(struct pair *p);

/* What follows an opening bracket: a type, perhaps a shape, and the end. */
static bool
skip_array(struct pair *p)
{
	if (!skip_type(p))
		return false;
	if (p->a[p->pos] == ',' && !(skip_until(p, ")") && skip(p, 1)))
		return false;
	return skip(p, 1);
}

static bool
skip_fields(struct pair *p)
{
	bool same = skip(p, 1);

	while (same && p->a[p->pos] != ']')
		same = skip_until(p, "(") && skip(p, 1) && skip_names(p) &&
		       skip_until(p, "'[(") && skip_array(p);
	return same && skip(p, 1);
}

/* '<f4', whatever its mark; a list of fields; or (type, shape). */
static bool
skip_type(struct pair *p)
{
	if (p->a[p->pos] == '[')
		return skip_fields(p);
	if (p->a[p->pos] == '(')
		return skip(p, 1) && skip_array(p);
	if (!skip(p, 1))
		return false;
	p->pos++;
	return skip_until(p, "'") && skip(p, 1);
}

bool
tsl_dtype_equal(const struct tsl_dtype *a, const struct tsl_dtype *b)
{
	struct pair p = { a->descr, b->descr, 0 };

	/* Bytes that nobody has a name for may be either. */
	if (a->number && b->number && a->number != b->number)
		return false;
	return strlen(a->descr) == strlen(b->descr) && skip_type(&p);
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
