/*
 * raw.c - elements without a header, of which the name says what they are
 */
#include "raw.h"

#include "descr.h"
#include "lib/base/integer.h"
#include "lib/base/shape.h"

#include <stdlib.h>
#include <string.h>

#define SCHEME "raw:"
#define FORM "raw:DTYPE:SHAPE[@OFFSET]:FILE"

/* A message shows no more of a part. */
#define MAX_SHOWN 40

bool
npyio_raw_is(const char *name)
{
	return strncmp(name, SCHEME, strlen(SCHEME)) == 0;
}

static enum tsl_status
bad_part(const char *what, const char *s, size_t len, struct tsl_error *err)
{
	return tsl_fail(err, TSL_ESYNTAX,
			"%s of " FORM " does not parse: '%.*s%s'", what,
			len > MAX_SHOWN ? MAX_SHOWN : (int)len, s,
			len > MAX_SHOWN ? "..." : "");
}

static enum tsl_status
parse_dtype(struct npyio_raw *raw, const char *s, size_t len,
	    struct tsl_error *err)
{
	struct npyio_text descr = { 0 };
	enum tsl_status status =
		npyio_descr_parse_name(&raw->array.dtype, &descr, s, len, err);

	raw->descr = descr.s;
	raw->array.dtype.descr = descr.s;
	return status == TSL_OK || status == TSL_EMEMORY
		       ? status
		       : bad_part("DTYPE", s, len, err);
}

/* What the algebra of shapes takes for a shape, but for what is unknown. */
static enum tsl_status
parse_shape(struct npyio_raw *raw, const char *s, size_t len,
	    struct tsl_error *err)
{
	struct tsl_shape shape;
	enum tsl_status status = tsl_shape_parse(&shape, s, len, NULL);

	if (status == TSL_EOVERFLOW)
		return tsl_fail(err, status,
				"a size in SHAPE of " FORM " is above 2^63-1");
	if (status || shape.ndim < 0 || memchr(s, '?', len))
		return bad_part("SHAPE", s, len, err);
	raw->array.ndim = shape.ndim;
	for (int i = 0; i < shape.ndim; i++) {
		if (shape.dim[i] < 0 && i > 0)
			return bad_part("SHAPE, where only the first size may "
					"be -1,",
					s, len, err);
		raw->array.dim[i] = shape.dim[i];
	}
	raw->is_open = shape.ndim > 0 && shape.dim[0] < 0;
	return TSL_OK;
}

static int
hex_digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	c |= 0x20;
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

static enum tsl_status
parse_hex(const char *s, size_t len, int64_t *value)
{
	*value = 0;
	for (size_t i = 0; i < len; i++) {
		if (hex_digit(s[i]) < 0)
			return TSL_ESYNTAX;
		if (*value > INT64_MAX >> 4)
			return TSL_EOVERFLOW;
		*value = *value << 4 | hex_digit(s[i]);
	}
	return len > 0 ? TSL_OK : TSL_ESYNTAX;
}

static enum tsl_status
parse_offset(struct npyio_raw *raw, const char *s, size_t len,
	     struct tsl_error *err)
{
	bool is_hex = len > 1 && s[0] == '0' && (s[1] | 0x20) == 'x';
	enum tsl_status status =
		is_hex ? parse_hex(s + 2, len - 2, &raw->offset)
		       : tsl_parse_int64(s, len, &raw->offset);

	if (status == TSL_EOVERFLOW && s[0] != '-')
		return tsl_fail(err, status,
				"OFFSET of " FORM " is above 2^63-1");
	if (status || raw->offset < 0)
		return bad_part("OFFSET", s, len, err);
	return TSL_OK;
}

/* SHAPE, or SHAPE@OFFSET. */
static enum tsl_status
parse_place(struct npyio_raw *raw, const char *s, size_t len,
	    struct tsl_error *err)
{
	const char *at = memchr(s, '@', len);
	size_t n = at ? (size_t)(at - s) : len;
	enum tsl_status status = parse_shape(raw, s, n, err);

	if (!status && at)
		status = parse_offset(raw, at + 1, len - n - 1, err);
	return status;
}

/* A row is what there is of an array whose first size is 1. */
static enum tsl_status
check(struct npyio_raw *raw, struct tsl_error *err)
{
	enum tsl_status status;

	if (raw->is_open)
		raw->array.dim[0] = 1;
	status = tsl_array_check(&raw->array, err);
	if (status || !raw->is_open)
		return status;
	raw->row = tsl_array_nbytes(&raw->array);
	if (raw->row == 0)
		return tsl_fail(err, TSL_EBAD_RESHAPE,
				"how many rows there are cannot be told where "
				"they have no bytes");
	return TSL_OK;
}

enum tsl_status
npyio_raw_parse(struct npyio_raw *raw, const char *name, struct tsl_error *err)
{
	const char *dtype = name + strlen(SCHEME);
	size_t ndtype = strcspn(dtype, ":"), nplace;
	const char *place = dtype + ndtype + (dtype[ndtype] == ':');
	enum tsl_status status;

	*raw = (struct npyio_raw){ .offset = 0 };
	nplace = strcspn(place, ":");
	if (place[nplace] != ':' || place[nplace + 1] == '\0')
		return tsl_fail(err, TSL_ESYNTAX,
				"elements without a header are " FORM
				"; a file of such a name is ./raw:...");
	raw->file = place + nplace + 1;
	status = parse_dtype(raw, dtype, ndtype, err);
	if (!status)
		status = parse_place(raw, place, nplace, err);
	return status ? status : check(raw, err);
}

void
npyio_raw_free(struct npyio_raw *raw)
{
	free(raw->descr);
	raw->descr = NULL;
}

enum tsl_status
npyio_raw_fit(struct npyio_raw *raw, int64_t nbytes, struct tsl_error *err)
{
	int64_t wanted = raw->is_open ? 0 : tsl_array_nbytes(&raw->array);

	if (nbytes < 0)
		return tsl_fail(err, TSL_ETRUNCATED,
				"the file ends before byte %lld, OFFSET",
				(long long)raw->offset);
	if (nbytes < wanted)
		return tsl_fail(err, TSL_ETRUNCATED,
				"the array has %lld byte%s, but only %lld "
				"follow%s",
				(long long)wanted, wanted == 1 ? "" : "s",
				(long long)nbytes, nbytes == 1 ? "s" : "");
	if (!raw->is_open)
		return TSL_OK;
	raw->array.dim[0] = nbytes / raw->row;
	if (nbytes % raw->row == 0)
		return TSL_OK;
	return tsl_fail(err, TSL_ETRUNCATED,
			"behind %lld row%s there are %lld byte%s of another, "
			"which has %lld",
			(long long)raw->array.dim[0],
			raw->array.dim[0] == 1 ? "" : "s",
			(long long)(nbytes % raw->row),
			nbytes % raw->row == 1 ? "" : "s", (long long)raw->row);
}
