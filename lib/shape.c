/*
 * shape.c - shapes with unknown sizes: as text, and what is known of them
 */
#include "shape.h"

#include "lex.h"

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
		return tsl_fail(err, status, "%.*s does not fit int64",
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
		return tsl_fail(err, TSL_ESYNTAX, "empty shape");
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
