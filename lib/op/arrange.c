/*
 * arrange.c - what may follow a slice: another order of axes, another shape
 */
#include "arrange.h"

#include "lib/base/overflow.h"

#include <string.h>

/* ---- axes ---------------------------------------------------------------- */

static enum tsl_status
permute(int axis[], const struct tsl_arrange_list *axes, int ndim,
	struct tsl_error *err)
{
	bool taken[TSL_MAX_DIMS] = { false };

	if (axes->n != ndim)
		return tsl_fail(err, TSL_EBAD_AXES,
				"%lld %s named, and there %s %d",
				(long long)axes->n,
				axes->n == 1 ? "axis is" : "axes are",
				ndim == 1 ? "is" : "are", ndim);
	for (int i = 0; i < ndim; i++) {
		int64_t k = axes->item[i];

		if (k < -ndim || k >= ndim)
			return tsl_fail(err, TSL_EBAD_AXES,
					"there is no axis %lld: there are %d",
					(long long)k, ndim);
		axis[i] = (int)(k < 0 ? k + ndim : k);
		if (taken[axis[i]])
			return tsl_fail(err, TSL_EBAD_AXES,
					"axis %d is named twice", axis[i]);
		taken[axis[i]] = true;
	}
	return TSL_OK;
}

static enum tsl_status
order_axes(struct tsl_arrangement *a, const struct tsl_arrange_options *o,
	   const struct tsl_shape *shape, struct tsl_error *err)
{
	enum tsl_status status = TSL_OK;
	int n = shape->ndim;

	a->shape = *shape;
	if (n == TSL_UNKNOWN)
		return TSL_OK;
	for (int i = 0; i < n; i++)
		a->axis[i] = o->transposed ? n - 1 - i : i;
	if (o->axes.given)
		status = permute(a->axis, &o->axes, n, err);
	for (int i = 0; i < n && !status; i++)
		a->shape.dim[i] = shape->dim[a->axis[i]];
	return status;
}

/* ---- shape --------------------------------------------------------------- */

/* The sizes as they are given; 'rest' is which one is -1, or -1 if none is. */
static enum tsl_status
take_sizes(struct tsl_shape *shape, const struct tsl_arrange_list *sizes,
	   int *rest, struct tsl_error *err)
{
	*rest = -1;
	if (sizes->n > TSL_MAX_DIMS)
		return tsl_fail(err, TSL_ERANK_LIMIT, "more than %d dimensions",
				TSL_MAX_DIMS);
	shape->ndim = (int)sizes->n;
	memcpy(shape->dim, sizes->item,
	       (size_t)sizes->n * sizeof(shape->dim[0]));
	for (int i = 0; i < shape->ndim; i++) {
		if (shape->dim[i] >= 0)
			continue;
		if (shape->dim[i] != -1)
			return tsl_fail(err, TSL_EBAD_RESHAPE,
					"%lld is not a size",
					(long long)shape->dim[i]);
		if (*rest >= 0)
			return tsl_fail(err, TSL_EBAD_RESHAPE,
					"more than one size is -1");
		*rest = i;
	}
	return TSL_OK;
}

/* How many elements the sizes but 'rest' make; false if it does not fit. */
static bool
count_others(const struct tsl_shape *shape, int rest, int64_t *count)
{
	struct tsl_shape others = *shape;

	if (rest >= 0)
		others.dim[rest] = 1;
	return tsl_shape_size(&others, count, NULL) == TSL_OK;
}

/* Finds the size that is -1 and says whether there are 'size' elements then. */
static bool
fill_in(struct tsl_shape *shape, int rest, int64_t size)
{
	int64_t others;

	if (!count_others(shape, rest, &others))
		return false;
	if (rest < 0)
		return others == size;
	if (others == 0 || size % others != 0)
		return false;
	shape->dim[rest] = size / others;
	return true;
}

/* Sizes next to one of 0 may be of any size, and overflow all the same. */
static enum tsl_status
check_bytes(const struct tsl_shape *shape, int64_t width, struct tsl_error *err)
{
	struct tsl_array a = { .dtype.size = width, .ndim = shape->ndim };

	memcpy(a.dim, shape->dim, sizeof(a.dim));
	return tsl_array_check(&a, err);
}

static enum tsl_status
reshape(struct tsl_shape *shape, const struct tsl_arrange_list *sizes,
	int64_t width, struct tsl_error *err)
{
	char text[TSL_SHAPE_TEXT];
	struct tsl_shape wanted;
	enum tsl_status status;
	int64_t size;
	int rest;

	status = take_sizes(&wanted, sizes, &rest, err);
	if (status)
		return status;
	if (tsl_shape_size(shape, &size, NULL))
		return tsl_fail(err, TSL_ETOO_LARGE,
				"more than 2^63-1 elements");
	if (size != TSL_UNKNOWN && !fill_in(&wanted, rest, size)) {
		tsl_shape_format(&wanted, text);
		return tsl_fail(err, TSL_EBAD_RESHAPE,
				"%lld element%s cannot have the shape %.160s",
				(long long)size, size == 1 ? "" : "s", text);
	}
	*shape = wanted;
	return size == TSL_UNKNOWN ? TSL_OK : check_bytes(shape, width, err);
}

enum tsl_status
tsl_arrange(struct tsl_arrangement *a,
	    const struct tsl_arrange_options *options,
	    const struct tsl_shape *shape, int64_t width, struct tsl_error *err)
{
	enum tsl_status status = order_axes(a, options, shape, err);

	a->is_reshaped = options->sizes.given;
	if (status || !a->is_reshaped)
		return status;
	return reshape(&a->shape, &options->sizes, width, err);
}
