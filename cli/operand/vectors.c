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

enum tsl_status
vectors_take_element(int64_t *value, const char **text, const char *name,
		     struct tsl_error *err)
{
	const char *s = *text + skip_blanks(*text);
	size_t n = strcspn(s, ", \t");
	enum tsl_status status = tsl_parse_int64(s, n, value);

	if (status == TSL_EOVERFLOW)
		return tsl_fail(err, status, "%s: %.*s does not fit in int64",
				name, (int)n, s);
	s += n;
	s += skip_blanks(s);
	if (status || (*s != ',' && *s != '\0'))
		return tsl_fail(err, TSL_ESYNTAX,
				"%s: expected decimal integers with commas "
				"between them, not '%s'",
				name, *text);
	*text = s;
	return TSL_OK;
}

enum tsl_status
vectors_set_list(struct vectors *v, enum vectors_list which, const char *text,
		 struct tsl_error *err)
{
	const char *name = vectors_list_names[which];
	size_t room = 1;
	enum tsl_status status;

	for (const char *s = text; *s; s++)
		room += *s == ',';
	free(v->list[which]);
	v->list[which] = malloc(room * sizeof(int64_t));
	if (!v->list[which])
		return tsl_fail(err, TSL_EMEMORY, "out of memory");
	v->length[which] = 0;
	if (text[skip_blanks(text)] == '\0')
		return TSL_OK;
	for (;;) {
		status = vectors_take_element(
			&v->list[which][v->length[which]++], &text, name, err);
		if (status || *text == '\0')
			return status;
		text++;
	}
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
