/*
 * header.c - the header of an .npy file: bytes to array
 */
#include "header.h"

#include "descr.h"
#include "foreign_format.h"
#include "literal.h"

#include <string.h>

static const unsigned char magic[] = { 0x93, 'N', 'U', 'M', 'P', 'Y' };

static int64_t
little_endian(const unsigned char *bytes, int n)
{
	int64_t value = 0;

	while (n-- > 0)
		value = value << 8 | bytes[n];
	return value;
}

static enum tsl_status
bad_magic(const unsigned char *bytes, size_t len, struct tsl_error *err)
{
	const char *kind = npyio_foreign_format(bytes, len);

	if (kind)
		return tsl_fail(err, TSL_EBAD_MAGIC, "not an .npy file but %s",
				kind);
	return tsl_fail(err, TSL_EBAD_MAGIC, "not an .npy file");
}

enum tsl_status
npyio_prefix_parse(struct npyio_prefix *prefix, const unsigned char *bytes,
		   size_t len, struct tsl_error *err)
{
	size_t nmagic = len < sizeof(magic) ? len : sizeof(magic);

	if (len == 0)
		return tsl_fail(err, TSL_EEMPTY_FILE, "the input is empty");
	if (memcmp(bytes, magic, nmagic) != 0)
		return bad_magic(bytes, len, err);
	if (len < sizeof(magic) + 2)
		return tsl_fail(err, TSL_EBAD_MAGIC,
				"not an .npy file: it ends after %zu byte%s",
				len, len == 1 ? "" : "s");
	if (bytes[6] < 1 || bytes[6] > 3 || bytes[7] != 0)
		return tsl_fail(err, TSL_EBAD_VERSION,
				"unknown .npy version %d.%d", bytes[6],
				bytes[7]);
	prefix->version = bytes[6];
	prefix->text_offset = prefix->version == 1 ? 10 : 12;
	if ((int64_t)len < prefix->text_offset)
		return tsl_fail(err, TSL_ETRUNCATED_HEADER,
				"the file ends within the header's length");
	prefix->text_nbytes =
		little_endian(bytes + 8, (int)prefix->text_offset - 8);
	if (prefix->text_nbytes > NPYIO_MAX_HEADER)
		return tsl_fail(err, TSL_EBAD_HEADER,
				"the header claims to be %lld bytes long; the "
				"limit is %d",
				(long long)prefix->text_nbytes,
				NPYIO_MAX_HEADER);
	return TSL_OK;
}

enum { KEY_DESCR = 1, KEY_FORTRAN = 2, KEY_SHAPE = 4, KEY_ALL = 7 };

struct header {
	struct npyio_literal lit;
	struct tsl_array *array;
	struct npyio_text descr;
	int keys; /* seen so far */
	struct tsl_error *err;
};

static enum tsl_status
parse_fortran(struct header *h)
{
	if (h->lit.token != NPYIO_TOKEN_TRUE &&
	    h->lit.token != NPYIO_TOKEN_FALSE)
		return npyio_literal_unexpected(
			&h->lit, TSL_EBAD_HEADER,
			"True or False for fortran_order", h->err);
	h->array->fortran_order = h->lit.token == NPYIO_TOKEN_TRUE;
	return npyio_literal_next(&h->lit, h->err);
}

static enum tsl_status
parse_dim(struct header *h)
{
	struct tsl_array *a = h->array;

	if (h->lit.token != NPYIO_TOKEN_INT)
		return npyio_literal_unexpected(&h->lit, TSL_EBAD_SHAPE,
						"a size in the shape", h->err);
	if (h->lit.value < 0)
		return tsl_fail(h->err, TSL_EBAD_SHAPE,
				"the shape has a negative size");
	if (!h->lit.fits)
		return tsl_fail(h->err, TSL_EBAD_SHAPE,
				"the shape has a size above 2^63-1");
	if (a->ndim == TSL_MAX_DIMS)
		return tsl_fail(h->err, TSL_EBAD_SHAPE,
				"the shape has more than %d dimensions",
				TSL_MAX_DIMS);
	a->dim[a->ndim++] = h->lit.value;
	return npyio_literal_next(&h->lit, h->err);
}

/* A tuple: () or (2,) or (2, 3); what Python takes for a tuple, no less. */
static enum tsl_status
parse_shape(struct header *h)
{
	bool comma = true;
	enum tsl_status status;

	h->array->ndim = 0;
	if (!npyio_literal_is(&h->lit, '('))
		return npyio_literal_unexpected(&h->lit, TSL_EBAD_SHAPE,
						"a tuple for the shape",
						h->err);
	status = npyio_literal_next(&h->lit, h->err);
	while (!status && comma && !npyio_literal_is(&h->lit, ')')) {
		status = parse_dim(h);
		comma = !status && npyio_literal_is(&h->lit, ',');
		if (comma)
			status = npyio_literal_next(&h->lit, h->err);
	}
	if (status)
		return status;
	if (h->array->ndim == 1 && !comma)
		return npyio_literal_unexpected(&h->lit, TSL_EBAD_SHAPE,
						"',' after the only size in "
						"the shape",
						h->err);
	return npyio_literal_expect(&h->lit, ')', h->err);
}

static int
key_of(const struct npyio_text *s)
{
	static const struct {
		const char *name;
		int key;
	} keys[] = { { "descr", KEY_DESCR },
		     { "fortran_order", KEY_FORTRAN },
		     { "shape", KEY_SHAPE } };

	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++)
		if (strcmp(s->s, keys[i].name) == 0)
			return keys[i].key;
	return 0;
}

/* key ':' value */
static enum tsl_status
parse_entry(struct header *h)
{
	enum tsl_status status;
	int key;

	if (h->lit.token != NPYIO_TOKEN_STRING)
		return npyio_literal_unexpected(&h->lit, TSL_EBAD_HEADER,
						"a key", h->err);
	key = key_of(&h->lit.string);
	if (key == 0 || (h->keys & key))
		return tsl_fail(h->err, TSL_EBAD_HEADER,
				"the header has %s key '%.60s'%s",
				key ? "the" : "an unknown", h->lit.string.s,
				key ? " twice" : "");
	h->keys |= key;
	status = npyio_literal_next(&h->lit, h->err);
	if (!status)
		status = npyio_literal_expect(&h->lit, ':', h->err);
	if (status)
		return status;
	if (key == KEY_DESCR)
		return npyio_descr_parse(&h->lit, &h->array->dtype, &h->descr,
					 h->err);
	return key == KEY_SHAPE ? parse_shape(h) : parse_fortran(h);
}

static enum tsl_status
parse_dict(struct header *h)
{
	enum tsl_status status = npyio_literal_next(&h->lit, h->err);

	if (!status)
		status = npyio_literal_expect(&h->lit, '{', h->err);
	while (!status && !npyio_literal_is(&h->lit, '}')) {
		status = parse_entry(h);
		if (status || !npyio_literal_is(&h->lit, ','))
			break;
		status = npyio_literal_next(&h->lit, h->err);
	}
	if (!status)
		status = npyio_literal_expect(&h->lit, '}', h->err);
	if (status)
		return status;
	if (h->lit.token != NPYIO_TOKEN_END)
		return npyio_literal_unexpected(&h->lit, TSL_EBAD_HEADER,
						"nothing more", h->err);
	if (h->keys != KEY_ALL)
		return tsl_fail(h->err, TSL_EBAD_HEADER,
				"the header has no '%s'",
				!(h->keys & KEY_DESCR)     ? "descr"
				: !(h->keys & KEY_FORTRAN) ? "fortran_order"
							   : "shape");
	return TSL_OK;
}

enum tsl_status
npyio_header_parse(struct tsl_array *array, char **descr_new, int version,
		   const char *text, size_t len, struct tsl_error *err)
{
	struct header h = {
		.lit = { .text = text, .len = len, .version = version },
		.array = array,
		.err = err,
	};
	enum tsl_status status;

	*array = (struct tsl_array){ .ndim = 0 };
	status = parse_dict(&h);
	npyio_text_free(&h.lit.string);
	*descr_new = h.descr.s;
	array->dtype.descr = h.descr.s;
	if (!status && tsl_array_check(array, NULL))
		status = tsl_fail(err, TSL_EBAD_SHAPE,
				  "the header claims more than 2^63-1 bytes of "
				  "data");
	return status;
}
