/*
 * picture.c - an output whose elements are pixels, looked at where they are
 */
#include "picture.h"

#include "cli/print/element.h"
#include "lib/base/shape.h"
#include "npyio/transfer/verify_crc.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* As libpng has it: wider or higher pictures are refused by those who read. */
#define MAX_SIDE 1000000

static bool
is_u1(const struct tsl_array *a)
{
	return a->dtype.kind == 'u' && a->dtype.size == 1;
}

/* How a plane is had of what is none. */
static enum tsl_status
no_plane(const struct tsl_array *a, struct tsl_error *err)
{
	struct tsl_shape shape = tsl_shape_of(a);
	char text[TSL_SHAPE_TEXT];
	char slice[32] = "0";

	tsl_shape_format(&shape, text);
	for (int i = 3; i < a->ndim && strlen(slice) < 28; i++)
		strcat(slice, ",0");
	return tsl_fail_item(
		err, TSL_EBAD_RANK, 0,
		"a picture has shape (h, w), (h, w, 3) or (h, w, 4), not "
		"%.90s; %s%s",
		text,
		a->ndim < 2 ? "a slice makes two axes of it, such as "
			    : "a slice chooses a plane, such as ",
		a->ndim == 0   ? "None,None"
		: a->ndim == 1 ? "None"
			       : slice);
}

enum tsl_status
picture_check(const struct tsl_array *a, struct tsl_error *err)
{
	bool has_colors = a->ndim == 3 && (a->dim[2] == 3 || a->dim[2] == 4);

	if (a->ndim != 2 && !has_colors)
		return no_plane(a, err);
	if (!strchr("biuf", tsl_dtype_number_kind(&a->dtype)))
		return tsl_fail_item(
			err, TSL_EDTYPE_MISMATCH, 0,
			"a picture is made of real numbers, not of %s",
			a->dtype.descr);
	if (has_colors && !is_u1(a))
		return tsl_fail_item(err, TSL_EDTYPE_MISMATCH, 0,
				     "colours are of dtype |u1, not of %s",
				     a->dtype.descr);
	if (a->dim[0] < 1 || a->dim[1] < 1 || a->dim[0] > MAX_SIDE ||
	    a->dim[1] > MAX_SIDE)
		return tsl_fail_item(
			err, TSL_EBAD_SHAPE, 0,
			"a picture has sides of 1 to %d, not of %lld "
			"and %lld",
			MAX_SIDE, (long long)a->dim[0], (long long)a->dim[1]);
	return TSL_OK;
}

/* ---- values -------------------------------------------------------------- */

static long double
value_at(const struct picture *m, const char *bytes)
{
	const struct tsl_dtype *t = &m->a->dtype;

	switch (t->kind) {
	case 'b':
		return bytes[0] != 0;
	case 'i':
		return (long double)element_int(t, bytes);
	case 'u':
		return (long double)(uint64_t)element_int(t, bytes);
	default:
		return element_real(t, bytes, (int)t->size);
	}
}

static struct pixel
pixel_at(const struct picture *m, const char *bytes)
{
	struct pixel p = { 0, 0, 0, 255 };
	long double v;

	if (m->channels > 1) {
		memcpy(&p, bytes, (size_t)m->channels);
		return p;
	}
	v = value_at(m, bytes);
	if (isnan(v))
		return (struct pixel){ 255, 0, 255, 255 };
	if (m->is_scaled)
		v = m->high > m->low ? 255 * ((v - m->low) / (m->high - m->low))
				     : 0;
	v = v < 0 ? 0 : v > 255 ? 255 : v;
	return colormap_of(m->map, (int)(v + 0.5L));
}

static enum tsl_status
look(struct picture *m, int64_t row, int64_t column, int64_t n,
     struct tsl_error *err)
{
	int64_t first = (row * m->width + column) * m->channels;

	return npyio_peek(&m->peek, first, n * m->channels, m->bytes, err);
}

enum tsl_status
picture_row(struct picture *m, int64_t row, const int64_t columns[], int64_t n,
	    struct pixel pixels[], struct tsl_error *err)
{
	int64_t size = m->a->dtype.size * m->channels;
	enum tsl_status status = TSL_OK;

	if (!columns)
		status = look(m, row, 0, n, err);
	for (int64_t i = 0; i < n && !status; i++) {
		if (columns)
			status = look(m, row, columns[i], 1, err);
		if (!status)
			pixels[i] = pixel_at(
				m, m->bytes + (columns ? 0 : i * size));
	}
	return status;
}

bool
picture_is_gray(const struct picture *m)
{
	return m->channels == 1 && m->map == IMAGE_GRAY && !m->has_nan;
}

/* ---- the range ----------------------------------------------------------- */

static enum tsl_status
find_range(struct picture *m, struct tsl_error *err)
{
	bool any = false;
	enum tsl_status status = TSL_OK;

	for (int64_t row = 0; row < m->height && !status; row++) {
		status = look(m, row, 0, m->width, err);
		for (int64_t i = 0; i < m->width && !status; i++) {
			long double v =
				value_at(m, m->bytes + i * m->a->dtype.size);

			m->has_nan |= isnan(v);
			if (!isfinite(v))
				continue;
			m->low = !any || v < m->low ? v : m->low;
			m->high = !any || v > m->high ? v : m->high;
			any = true;
		}
	}
	return status;
}

static enum tsl_status
settle(struct picture *m, const struct image_how *how, struct tsl_error *err)
{
	enum tsl_status status = TSL_OK;

	m->height = m->a->dim[0];
	m->width = m->a->dim[1];
	m->channels = m->a->ndim == 2 ? 1 : (int)m->a->dim[2];
	m->map = how->map >= 0 ? (enum image_map)how->map
		 : is_u1(m->a) ? IMAGE_GRAY
			       : IMAGE_VIRIDIS;
	m->is_scaled = m->channels == 1 && (how->has_range || !is_u1(m->a));
	m->bytes = malloc((size_t)(m->width * m->channels * m->a->dtype.size));
	if (!m->bytes)
		return tsl_no_memory(err);
	/* Floats are looked at in any case: some may be no numbers. */
	if (m->is_scaled &&
	    (!how->has_range || tsl_dtype_number_kind(&m->a->dtype) == 'f'))
		status = find_range(m, err);
	if (how->has_range) {
		m->low = how->low;
		m->high = how->high;
	}
	return status;
}

enum tsl_status
picture_open(struct picture *m, const struct npyio_transfer *t,
	     const struct image_how *how, struct tsl_error *err)
{
	enum tsl_status status;

	*m = (struct picture){ .a = &t->job->out };
	status = npyio_verify_crc(t, err);
	if (!status)
		status = npyio_peek_init(&m->peek, t, err);
	return status ? status : settle(m, how, err);
}

void
picture_close(struct picture *m)
{
	npyio_peek_close(&m->peek);
	free(m->bytes);
}
