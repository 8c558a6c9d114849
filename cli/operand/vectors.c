/*
 * vectors.c - begin, end, strides and masks as a user gives them
 */
#include "vectors.h"

#include "lib/base/integer.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

const char *const vectors_list_names[VECTORS_LISTS] = { "begin", "end",
							"strides" };
const char *const vectors_mask_names[VECTORS_MASKS] = {
	"begin_mask", "end_mask", "ellipsis_mask", "new_axis_mask",
	"shrink_axis_mask"
};

void
vectors_init(struct vectors *v)
{
	*v = (struct vectors){ .length = { -1, -1, -1 } };
}

void
vectors_free(struct vectors *v)
{
	for (int i = 0; i < VECTORS_LISTS; i++)
		free(v->list[i]);
	vectors_init(v);
}

static size_t
skip_blanks(const char *s)
{
	return strspn(s, " \t");
}

static enum tsl_status
no_list(const struct vectors_text *t, const char *from, struct tsl_error *err)
{
	return tsl_fail(err, TSL_ESYNTAX,
			"%s: expected decimal integers with commas between "
			"them, not '%s'",
			t->name, from);
}

static void
open_list(struct vectors_text *t)
{
	t->begun = true;
	t->close = *t->at == '(' ? ')' : *t->at == '[' ? ']' : '\0';
	t->at += t->close != '\0';
	t->at += skip_blanks(t->at);
}

/* Behind the bracket, if there is one, comes nothing. */
static enum tsl_status
close_list(struct vectors_text *t, struct tsl_error *err)
{
	const char *end = t->at;

	t->at += t->close != '\0';
	t->at += skip_blanks(t->at);
	return *t->at == '\0' ? TSL_OK : no_list(t, end, err);
}

static enum tsl_status
take_number(struct vectors_text *t, int64_t *value, struct tsl_error *err)
{
	const char *s = t->at;
	size_t n = strcspn(s, ",)] \t");
	enum tsl_status status = tsl_parse_int64(s, n, value);

	if (status == TSL_EOVERFLOW)
		return tsl_fail(err, status, "%s: %.*s does not fit in int64",
				t->name, (int)n, s);
	t->at += n;
	t->at += skip_blanks(t->at);
	if (status || (*t->at != ',' && *t->at != t->close))
		return no_list(t, s, err);
	if (*t->at != ',')
		return TSL_OK;
	t->at++;
	t->at += skip_blanks(t->at);
	/* Only a tuple may end with a comma. */
	return *t->at == t->close && t->close != ')' ? no_list(t, s, err)
						     : TSL_OK;
}

enum tsl_status
vectors_next(struct vectors_text *text, int64_t *value, bool *more,
	     struct tsl_error *err)
{
	text->at += skip_blanks(text->at);
	if (!text->begun)
		open_list(text);
	*more = *text->at != text->close;
	return *more ? take_number(text, value, err) : close_list(text, err);
}

enum tsl_status
vectors_set_list(struct vectors *v, enum vectors_list which, const char *text,
		 struct tsl_error *err)
{
	struct vectors_text t = { .name = vectors_list_names[which],
				  .at = text };
	size_t room = 2;
	bool more = true;
	enum tsl_status status = TSL_OK;

	for (const char *s = text; *s; s++)
		room += *s == ',';
	free(v->list[which]);
	v->list[which] = malloc(room * sizeof(int64_t));
	if (!v->list[which])
		return tsl_no_memory(err);
	v->length[which] = 0;
	while (!status && more) {
		status = vectors_next(&t, &v->list[which][v->length[which]],
				      &more, err);
		v->length[which] += !status && more;
	}
	return status;
}

enum tsl_status
vectors_set_mask(struct vectors *v, enum vectors_mask which, const char *text,
		 struct tsl_error *err)
{
	bool hex = text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
	const char *digits = hex ? text + 2 : text + (text[0] == '-');
	const char *allowed = hex ? "0123456789abcdefABCDEF" : "0123456789";
	long long value;

	errno = 0;
	value = strtoll(hex ? digits : text, NULL, hex ? 16 : 10);
	if (*digits == '\0' || digits[strspn(digits, allowed)] != '\0' ||
	    errno || value < INT32_MIN || value > UINT32_MAX)
		return tsl_fail(err, TSL_ESYNTAX,
				"%s: expected a mask of 32 bits, not '%s'",
				vectors_mask_names[which], text);
	v->mask[which] = (uint32_t)value;
	return TSL_OK;
}

enum tsl_status
vectors_encode(struct tsl_encoding *e, const struct vectors *v,
	       struct tsl_error *err)
{
	const struct tsl_vectors given = {
		.nbegin = v->length[VECTORS_BEGIN],
		.nend = v->length[VECTORS_END],
		.nstrides = v->length[VECTORS_STRIDES],
		.begin = v->list[VECTORS_BEGIN],
		.end = v->list[VECTORS_END],
		.strides = v->list[VECTORS_STRIDES],
		.begin_mask = v->mask[VECTORS_BEGIN_MASK],
		.end_mask = v->mask[VECTORS_END_MASK],
		.ellipsis_mask = v->mask[VECTORS_ELLIPSIS_MASK],
		.new_axis_mask = v->mask[VECTORS_NEW_AXIS_MASK],
		.shrink_axis_mask = v->mask[VECTORS_SHRINK_AXIS_MASK],
	};

	return tsl_encode_vectors(e, &given, err);
}

const int64_t *
vectors_of(const struct tsl_encoding *e, enum vectors_list which)
{
	return which == VECTORS_BEGIN ? e->begin
	       : which == VECTORS_END ? e->end
				      : e->strides;
}

uint32_t
vectors_mask_of(const struct tsl_encoding *e, enum vectors_mask which)
{
	switch (which) {
	case VECTORS_BEGIN_MASK:
		return e->begin_mask;
	case VECTORS_END_MASK:
		return e->end_mask;
	case VECTORS_ELLIPSIS_MASK:
		return e->ellipsis_mask;
	case VECTORS_NEW_AXIS_MASK:
		return e->new_axis_mask;
	default:
		return e->shrink_axis_mask;
	}
}
