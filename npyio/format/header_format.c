/*
 * header_format.c - the header of an .npy file: array to bytes
 */
#include "header.h"

#include "lib/base/utf8.h"

#include <stdio.h>
#include <string.h>

#define ALIGNMENT 64 /* of the data, in the file */

/* Room for a dimension to grow in place, as numpy.save leaves it since 1.24. */
#define GROWTH_DIGITS 21

static void
add_shape(struct npyio_text *out, const struct tsl_array *a)
{
	npyio_text_puts(out, "(");
	for (int i = 0; i < a->ndim; i++)
		npyio_text_printf(out, i ? ", %lld" : "%lld",
				  (long long)a->dim[i]);
	npyio_text_puts(out, a->ndim == 1 ? ",)" : ")");
}

static void
add_dict(struct npyio_text *out, const struct tsl_array *a)
{
	npyio_text_puts(out, "{'descr': ");
	npyio_text_puts(out, a->dtype.descr);
	npyio_text_printf(out, ", 'fortran_order': %s, 'shape': ",
			  a->fortran_order ? "True" : "False");
	add_shape(out, a);
	npyio_text_puts(out, ", }");
	if (a->ndim > 0) {
		int axis = a->fortran_order ? a->ndim - 1 : 0;
		int digits = snprintf(NULL, 0, "%lld", (long long)a->dim[axis]);

		npyio_text_printf(out, "%*s", GROWTH_DIGITS - digits, "");
	}
}

/* Turns UTF-8 into Latin-1 in place; false, and as it was, if it cannot. */
static bool
to_latin1(struct npyio_text *t)
{
	size_t n = 0;

	for (size_t i = 0; i < t->len;)
		if (tsl_utf8_next(t->s, t->len, &i) > 0xFF)
			return false;
	for (size_t i = 0; i < t->len;)
		t->s[n++] = (char)tsl_utf8_next(t->s, t->len, &i);
	npyio_text_cut(t, n);
	return true;
}

/* Spaces and the newline that bring prefix and text to a whole ALIGNMENT. */
static int
padding(int prefix, size_t len)
{
	return ALIGNMENT - (int)(((size_t)prefix + len + 1) % ALIGNMENT);
}

static void
add_prefix(struct npyio_text *out, int version, size_t nbytes)
{
	char prefix[NPYIO_MAX_PREFIX] = { '\x93', 'N', 'U',          'M',
					  'P',    'Y', (char)version };
	int n = version == 1 ? 2 : 4;

	for (int i = 0; i < n; i++)
		prefix[8 + i] = (char)(nbytes >> 8 * i & 0xFF);
	npyio_text_add(out, prefix, (size_t)(8 + n));
}

enum tsl_status
npyio_header_format(struct npyio_text *out, const struct tsl_array *array,
		    struct tsl_error *err)
{
	struct npyio_text text = { 0 };
	int version = 1;
	int prefix = 10;
	int pad;
	bool ok;

	add_dict(&text, array);
	if (npyio_text_ok(&text) && !to_latin1(&text))
		version = 3;
	if (version == 3 ||
	    text.len + 1 + (size_t)padding(10, text.len) > UINT16_MAX) {
		version = version == 3 ? 3 : 2;
		prefix = 12;
	}
	pad = padding(prefix, text.len);
	add_prefix(out, version, text.len + (size_t)pad + 1);
	npyio_text_add(out, text.s ? text.s : "", text.len);
	npyio_text_printf(out, "%*s\n", pad, "");
	ok = npyio_text_ok(&text) && npyio_text_ok(out);
	npyio_text_free(&text);
	if (!ok)
		return tsl_no_memory(err);
	return TSL_OK;
}

enum tsl_status
npyio_header_length(const struct tsl_array *array, int64_t *length,
		    struct tsl_error *err)
{
	struct npyio_text header = { 0 };
	enum tsl_status status = npyio_header_format(&header, array, err);

	*length = (int64_t)header.len;
	npyio_text_free(&header);
	return status;
}
