/*
 * type_names.c - NumPy's names of types that are no kind and size
 */
#include "type_names.h"

#include <string.h>

struct name {
	const char *name, *code;
};

static const struct name whole[] = {
	{ "?", "b1" },           { "bool", "b1" },        { "int8", "i1" },
	{ "int16", "i2" },       { "int32", "i4" },       { "int64", "i8" },
	{ "uint8", "u1" },       { "uint16", "u2" },      { "uint32", "u4" },
	{ "uint64", "u8" },      { "float16", "f2" },     { "float32", "f4" },
	{ "float64", "f8" },     { "longdouble", "f16" }, { "float128", "f16" },
	{ "complex64", "c8" },   { "complex128", "c16" }, { "int", "i8" },
	{ "complex256", "c32" }, { "float", "f8" },       { "complex", "c16" },
	{ "str", "U" },          { "bytes", "S" },
};

/* A unit in brackets follows. */
static const struct name times[] = {
	{ "datetime64", "M8" },
	{ "timedelta64", "m8" },
};

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* The first n of names that is s[0, len), or NULL. */
static const struct name *
find(const struct name *names, size_t n, const char *s, size_t len)
{
	for (size_t i = 0; i < n; i++)
		if (strlen(names[i].name) == len &&
		    memcmp(names[i].name, s, len) == 0)
			return &names[i];
	return NULL;
}

void
npyio_type_code(struct npyio_text *t, const char *s, size_t len)
{
	const struct name *name = find(whole, COUNT(whole), s, len);
	const char *unit = memchr(s, '[', len);

	if (!name && unit)
		name = find(times, COUNT(times), s, (size_t)(unit - s));
	if (!name) {
		npyio_text_add(t, s, len);
		return;
	}
	npyio_text_puts(t, name->code);
	if (unit)
		npyio_text_add(t, unit, (size_t)(s + len - unit));
}
