/*
 * shape.c - shapes with unknown sizes: as text, and what is known of them
 */
#include "shape.h"

#include "integer.h"
#include "overflow.h"

#include <stdio.h>
#include <string.h>

struct tsl_shape
tsl_shape_of(const struct tsl_array *a)
{
	struct tsl_shape s = { .ndim = a->ndim };

	memcpy(s.dim, a->dim, (size_t)a->ndim * sizeof(a->dim[0]));
	return s;
}

bool
tsl_shape_is_known(const struct tsl_shape *s)
{
	for (int i = 0; i < s->ndim; i++)
		if (s->dim[i] == TSL_UNKNOWN)
			return false;
	return s->ndim != TSL_UNKNOWN;
}

/* ---- algebra ------------------------------------------------------------- */

bool
tsl_shape_has_unknown(const struct tsl_shape *s)
{
	return !tsl_shape_is_known(s);
}

enum tsl_status
tsl_shape_size(const struct tsl_shape *s, int64_t *size, struct tsl_error *err)
{
	*size = TSL_UNKNOWN;
	if (!tsl_shape_is_known(s))
		return TSL_OK;
	*size = 0;
	for (int i = 0; i < s->ndim; i++)
		if (s->dim[i] == 0)
			return TSL_OK;
	*size = 1;
	for (int i = 0; i < s->ndim; i++)
		if (!tsl_mul(*size, s->dim[i], size))
			return tsl_fail(err, TSL_EOVERFLOW,
					"the number of elements does not fit "
					"in int64");
	return TSL_OK;
}

enum tsl_status
tsl_shape_dim(const struct tsl_shape *s, int64_t i, int64_t *dim,
	      struct tsl_error *err)
{
	*dim = TSL_UNKNOWN;
	if (s->ndim == TSL_UNKNOWN)
		return TSL_OK;
	if (i < -s->ndim || i >= s->ndim)
		return tsl_fail(err, TSL_EINDEX_OUT_OF_BOUNDS,
				"there is no dimension %lld: the shape has %d",
				(long long)i, s->ndim);
	*dim = s->dim[i < 0 ? i + s->ndim : i];
	return TSL_OK;
}

static enum tsl_status
unknown_rank(struct tsl_error *err)
{
	return tsl_fail(err, TSL_EUNKNOWN_RANK, "the rank is unknown");
}

enum tsl_status
tsl_shape_sub(struct tsl_shape *out, const struct tsl_shape *s, int64_t begin,
	      int64_t end, struct tsl_error *err)
{
	if (s->ndim == TSL_UNKNOWN)
		return unknown_rank(err);
	if (begin < 0 || end > s->ndim)
		return tsl_fail(
			err, TSL_EINDEX_OUT_OF_BOUNDS,
			"cannot take dimensions %lld to %lld: the shape "
			"has %d",
			(long long)begin, (long long)end, s->ndim);
	if (end < begin)
		return tsl_fail(err, TSL_ENEGATIVE_SIZE,
				"cannot take dimensions %lld to %lld: fewer "
				"than none",
				(long long)begin, (long long)end);
	memmove(out->dim, s->dim + begin,
		(size_t)(end - begin) * sizeof(s->dim[0]));
	out->ndim = (int)(end - begin);
	return TSL_OK;
}

enum tsl_status
tsl_shape_take(struct tsl_shape *out, const struct tsl_shape *s, int64_t n,
	       struct tsl_error *err)
{
	return tsl_shape_sub(out, s, 0, n, err);
}

enum tsl_status
tsl_shape_take_last(struct tsl_shape *out, const struct tsl_shape *s, int64_t n,
		    struct tsl_error *err)
{
	if (s->ndim == TSL_UNKNOWN)
		return unknown_rank(err);
	if (n < 0)
		return tsl_fail(err, TSL_ENEGATIVE_SIZE,
				"cannot take the last %lld dimensions: fewer "
				"than none",
				(long long)n);
	if (n > s->ndim)
		return tsl_fail(err, TSL_EINDEX_OUT_OF_BOUNDS,
				"cannot take the last %lld dimensions: the "
				"shape has %d",
				(long long)n, s->ndim);
	return tsl_shape_sub(out, s, s->ndim - n, s->ndim, err);
}

enum tsl_status
tsl_shape_head(struct tsl_shape *out, const struct tsl_shape *s,
	       struct tsl_error *err)
{
	return tsl_shape_take(out, s, 1, err);
}

enum tsl_status
tsl_shape_tail(struct tsl_shape *out, const struct tsl_shape *s,
	       struct tsl_error *err)
{
	/* Of a scalar, too, the tail is a scalar. */
	return tsl_shape_sub(out, s, s->ndim == 0 ? 0 : 1, s->ndim, err);
}

enum tsl_status
tsl_shape_join(struct tsl_shape *out, const struct tsl_shape *a,
	       const struct tsl_shape *b, struct tsl_error *err)
{
	struct tsl_shape joined;

	if (a->ndim == TSL_UNKNOWN || b->ndim == TSL_UNKNOWN)
		return unknown_rank(err);
	if (a->ndim + b->ndim > TSL_MAX_DIMS)
		return tsl_fail(err, TSL_ERANK_LIMIT, "more than %d dimensions",
				TSL_MAX_DIMS);
	joined.ndim = a->ndim + b->ndim;
	memcpy(joined.dim, a->dim, (size_t)a->ndim * sizeof(a->dim[0]));
	memcpy(joined.dim + a->ndim, b->dim,
	       (size_t)b->ndim * sizeof(b->dim[0]));
	*out = joined;
	return TSL_OK;
}

bool
tsl_dim_is_compatible(int64_t a, int64_t b)
{
	return a == TSL_UNKNOWN || b == TSL_UNKNOWN || a == b;
}

bool
tsl_shape_is_compatible(const struct tsl_shape *a, const struct tsl_shape *b)
{
	if (a->ndim == TSL_UNKNOWN || b->ndim == TSL_UNKNOWN)
		return true;
	if (a->ndim != b->ndim)
		return false;
	for (int i = 0; i < a->ndim; i++)
		if (!tsl_dim_is_compatible(a->dim[i], b->dim[i]))
			return false;
	return true;
}

bool
tsl_shape_equals(const struct tsl_shape *a, const struct tsl_shape *b)
{
	return tsl_shape_is_known(a) && tsl_shape_is_known(b) &&
	       tsl_shape_is_compatible(a, b);
}

/* ---- text ---------------------------------------------------------------- */

static void
trim(const char **text, size_t *len)
{
	while (*len > 0 && (**text == ' ' || **text == '\t')) {
		(*text)++;
		(*len)--;
	}
	while (*len > 0 &&
	       ((*text)[*len - 1] == ' ' || (*text)[*len - 1] == '\t'))
		(*len)--;
}

static enum tsl_status
parse_dim(int64_t *dim, const char *text, size_t len, struct tsl_error *err)
{
	enum tsl_status status;

	trim(&text, &len);
	if (len == 1 && text[0] == '?') {
		*dim = TSL_UNKNOWN;
		return TSL_OK;
	}
	status = tsl_parse_int64(text, len, dim);
	if (status == TSL_EOVERFLOW)
		return tsl_fail(err, status, "%.*s does not fit in int64",
				(int)len, text);
	if (status || *dim < TSL_UNKNOWN)
		return tsl_fail(err, TSL_ESYNTAX, "'%.*s' is not a size",
				(int)len, text);
	return TSL_OK;
}

static enum tsl_status
parse_dims(struct tsl_shape *s, const char *text, size_t len,
	   struct tsl_error *err)
{
	const char *end = text + len;

	while (text < end) {
		const char *comma = memchr(text, ',', (size_t)(end - text));
		const char *stop = comma ? comma : end;
		enum tsl_status status;
		int64_t dim;

		status = parse_dim(&dim, text, (size_t)(stop - text), err);
		if (status)
			return status;
		if (s->ndim == TSL_MAX_DIMS)
			return tsl_fail(err, TSL_ERANK_LIMIT,
					"more than %d dimensions",
					TSL_MAX_DIMS);
		s->dim[s->ndim++] = dim;
		text = comma ? comma + 1 : end;
	}
	return TSL_OK;
}

enum tsl_status
tsl_shape_parse(struct tsl_shape *s, const char *text, size_t len,
		struct tsl_error *err)
{
	bool bracketed;

	s->ndim = 0;
	trim(&text, &len);
	if (len == strlen("unknown") && memcmp(text, "unknown", len) == 0) {
		s->ndim = TSL_UNKNOWN;
		return TSL_OK;
	}
	bracketed = len >= 2 && ((text[0] == '(' && text[len - 1] == ')') ||
				 (text[0] == '[' && text[len - 1] == ']'));
	if (bracketed) {
		text++;
		len -= 2;
		trim(&text, &len);
	}
	if (len == 0 && !bracketed)
		return tsl_fail(err, TSL_ESYNTAX, "the shape is empty");
	return parse_dims(s, text, len, err);
}

void
tsl_shape_format(const struct tsl_shape *s, char *text)
{
	if (s->ndim == TSL_UNKNOWN) {
		strcpy(text, "unknown");
		return;
	}
	text += sprintf(text, "(");
	for (int i = 0; i < s->ndim; i++) {
		const char *separator = i ? ", " : "";

		if (s->dim[i] == TSL_UNKNOWN)
			text += sprintf(text, "%s?", separator);
		else
			text += sprintf(text, "%s%lld", separator,
					(long long)s->dim[i]);
	}
	sprintf(text, s->ndim == 1 ? ",)" : ")");
}

void
tsl_shape_format_list(const struct tsl_shape *s, char *text)
{
	if (s->ndim == TSL_UNKNOWN) {
		strcpy(text, "null");
		return;
	}
	text += sprintf(text, "[");
	for (int i = 0; i < s->ndim; i++)
		text += sprintf(text, "%s%lld", i ? ", " : "",
				(long long)s->dim[i]);
	sprintf(text, "]");
}
