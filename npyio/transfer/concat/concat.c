/*
 * concat.c - pieces of an output whose rows are those of many inputs
 *
 * What an input has in a piece is one run of it, if it stands there in the
 * order of the output.  A long row is read to its place; shorter ones are read
 * together, many at a time, and put to their places in memory.  So each byte
 * is read once, and written once, however narrow the rows are.
 */
#include "concat.h"

#include "lib/base/byte_order.h"
#include "lib/base/minmax.h"
#include "lib/kernel/kernel.h"
#include "lib/view/walk.h"
#include "npyio/transfer/common/buffer.h"

#include <stdlib.h>

/* A row that is read by itself should repay the system call. */
#define MIN_READ (16 * 1024)

/*
 * Of each input so much is read at once, as far as what is made of it stays in
 * the cache.
 */
#define MIN_RUN ((int64_t)64 * 1024)
#define MIN_CHUNK ((int64_t)256 * 1024)

/* The most inputs that are woven by a kernel. */
#define MAX_INTERLEAVED 4

void
npyio_concat_init(struct npyio_concat *w, const struct npyio_transfer *t,
		  int64_t room)
{
	*w = (struct npyio_concat){
		.t = t,
		.cat = (const struct tsl_cat_job *)(const void *)t->job,
		.room = room,
		.input = -1,
	};
}

static void
release(struct npyio_concat *w)
{
	npyio_fetch_close(&w->fetch);
	if (w->input >= 0)
		npyio_reader_release(w->t->in[w->input]);
	w->input = -1;
}

void
npyio_concat_close(struct npyio_concat *w)
{
	if (!w->t)
		return;
	release(w);
	free(w->scratch);
	*w = (struct npyio_concat){ .input = -1 };
}

enum tsl_status
npyio_concat_worker_prepare(struct npyio_concat_worker *w,
			    const struct npyio_output *out, int64_t room,
			    int64_t nbytes,
			    const struct npyio_concat_maps *maps,
			    struct tsl_error *err)
{
	if (w->buffer)
		return TSL_OK;
	npyio_concat_init(&w->concat, out->t, room);
	w->concat.maps = maps;
	w->buffer = npyio_buffer_new(out->header.len + (size_t)nbytes);
	return w->buffer ? TSL_OK
			 : tsl_fail(err, TSL_EMEMORY,
				    "out of memory for %lld bytes of output",
				    (long long)nbytes);
}

void
npyio_concat_worker_close(struct npyio_concat_worker *w)
{
	if (w->buffer)
		npyio_concat_close(&w->concat);
	free(w->buffer);
	*w = (struct npyio_concat_worker){ .buffer = NULL };
}

static enum tsl_status
acquire(struct npyio_concat *w, int input, struct tsl_error *err)
{
	enum tsl_status status;

	if (w->input == input)
		return TSL_OK;
	release(w);
	status = npyio_reader_hold(w->t->in[input], err);
	if (status)
		return status;
	w->input = input;
	npyio_fetch_init(&w->fetch, w->t->in[input], w->room);
	if (npyio_concat_mapped(w->maps, input))
		npyio_fetch_from(&w->fetch, npyio_concat_mapped(w->maps, input),
				 0);
	return TSL_OK;
}

static enum tsl_status
reserve(struct npyio_concat *w, int64_t nbytes, struct tsl_error *err)
{
	if (nbytes <= w->scratch_nbytes)
		return TSL_OK;
	free(w->scratch);
	w->scratch = npyio_buffer_new((size_t)nbytes);
	w->scratch_nbytes = w->scratch ? nbytes : 0;
	return w->scratch ? TSL_OK
			  : tsl_fail(err, TSL_EMEMORY,
				     "out of memory for %lld bytes of input",
				     (long long)nbytes);
}

/* ---- one input ----------------------------------------------------------- */

/* Of what stands in another order. */
static enum tsl_status
get_reordered(struct npyio_concat *w, const struct tsl_cat_part *part,
	      int64_t lo, int64_t n, char *dst, struct tsl_error *err)
{
	int64_t stride[TSL_MAX_DIMS + 1];
	struct tsl_view all, box;
	enum tsl_status status = TSL_OK;

	tsl_cat_view(w->cat, part, &all);
	while (n > 0 && !status) {
		int64_t some = tsl_view_head(&all, lo / all.width,
					     n / all.width, &box) *
			       all.width;

		tsl_view_dense(&box, stride);
		status = npyio_fetch(&w->fetch, TSL_PATTERN_TRANSPOSED, &box,
				     stride, dst, err);
		lo += some;
		n -= some;
		dst += some;
	}
	return status;
}

/* Bytes [lo, lo + n) of a part as they are to be, whole elements. */
static enum tsl_status
get(struct npyio_concat *w, const struct tsl_cat_part *part, int64_t lo,
    int64_t n, char *dst, struct tsl_error *err)
{
	const struct tsl_dtype *dtype = &w->cat->job.out.dtype;
	enum tsl_status status = acquire(w, part->input, err);

	if (status)
		return status;
	status = part->is_dense ? npyio_fetch_bytes(&w->fetch, lo, n, dst, err)
				: get_reordered(w, part, lo, n, dst, err);
	if (status || !part->is_turned)
		return status;
	return tsl_byte_order_convert(dst, n / dtype->size, &part->array->dtype,
				      dtype, err);
}

/* ---- within a row -------------------------------------------------------- */

static enum tsl_status
make_part_of_row(struct npyio_concat *w, int64_t row, int64_t at, int64_t n,
		 char *dst, struct tsl_error *err)
{
	enum tsl_status status = TSL_OK;

	for (int64_t i = tsl_cat_find(w->cat, at); n > 0 && !status; i++) {
		const struct tsl_cat_part *part = &w->cat->part[i];
		int64_t lo = at - part->at;
		int64_t some = tsl_min(n, part->nbytes - lo);

		status = get(w, part, row * part->nbytes + lo, some, dst, err);
		at += some;
		n -= some;
		dst += some;
	}
	return status;
}

/* ---- whole rows ---------------------------------------------------------- */

/* Long rows, each of them read to its place. */
static enum tsl_status
make_long_rows(struct npyio_concat *w, const struct tsl_cat_part *part,
	       int64_t row, int64_t nrows, char *dst, struct tsl_error *err)
{
	enum tsl_status status = TSL_OK;

	for (int64_t r = 0; r < nrows && !status; r++)
		status = get(w, part, (row + r) * part->nbytes, part->nbytes,
			     dst + r * w->cat->row, err);
	return status;
}

static enum tsl_status
make_columns(struct npyio_concat *w, const struct tsl_cat_part *part,
	     int64_t row, int64_t nrows, char *dst, struct tsl_error *err)
{
	int64_t nbytes = nrows * part->nbytes;
	enum tsl_status status;

	dst += part->at;
	if (part->is_dense && part->nbytes >= MIN_READ)
		return make_long_rows(w, part, row, nrows, dst, err);
	status = reserve(w, nbytes, err);
	if (!status)
		status = get(w, part, row * part->nbytes, nbytes, w->scratch,
			     err);
	if (!status)
		tsl_put_columns(dst, w->cat->row, w->scratch,
				(size_t)part->nbytes, nrows);
	return status;
}

/* The kernel that weaves all parts at once; NULL if there is none. */
static tsl_interleave *
find_kernel(const struct tsl_cat_job *cat)
{
	tsl_interleave *kernel =
		cat->nparts <= MAX_INTERLEAVED
			? tsl_interleave_for(cat->part[0].nbytes, cat->nparts)
			: NULL;

	for (int64_t i = 1; i < cat->nparts && kernel; i++)
		if (cat->part[i].nbytes != cat->part[0].nbytes)
			return NULL;
	return kernel;
}

static enum tsl_status
concat_rows(struct npyio_concat *w, tsl_interleave *kernel, int64_t row,
	    int64_t nrows, char *dst, struct tsl_error *err)
{
	enum tsl_status status = reserve(w, nrows * w->cat->row, err);
	const char *source[MAX_INTERLEAVED];
	char *at = w->scratch;

	for (int64_t i = 0; i < w->cat->nparts && !status; i++) {
		const struct tsl_cat_part *part = &w->cat->part[i];

		status = get(w, part, row * part->nbytes, nrows * part->nbytes,
			     at, err);
		source[i] = at;
		at += nrows * part->nbytes;
	}
	if (!status)
		kernel(dst, source, nrows);
	return status;
}

static enum tsl_status
make_some_rows(struct npyio_concat *w, int64_t row, int64_t nrows, char *dst,
	       struct tsl_error *err)
{
	tsl_interleave *kernel = find_kernel(w->cat);
	enum tsl_status status = TSL_OK;

	if (kernel)
		return concat_rows(w, kernel, row, nrows, dst, err);
	for (int64_t i = 0; i < w->cat->nparts && !status; i++)
		status =
			make_columns(w, &w->cat->part[i], row, nrows, dst, err);
	return status;
}

/* How many rows are made at once, so that there is room for any part's. */
static int64_t
rows_at_once(const struct npyio_concat *w)
{
	int64_t runs = w->cat->nparts > w->room / MIN_RUN
			       ? w->room
			       : w->cat->nparts * MIN_RUN;
	int64_t chunk = tsl_min(tsl_max(runs, MIN_CHUNK), w->room);

	return chunk / w->cat->row;
}

static enum tsl_status
make_rows(struct npyio_concat *w, int64_t row, int64_t nrows, char *dst,
	  struct tsl_error *err)
{
	int64_t most = rows_at_once(w);
	enum tsl_status status = TSL_OK;

	while (nrows > 0 && !status) {
		int64_t some = tsl_min(nrows, tsl_max(most, 1));

		status = some == 1 ? make_part_of_row(w, row, 0, w->cat->row,
						      dst, err)
				   : make_some_rows(w, row, some, dst, err);
		row += some;
		nrows -= some;
		dst += some * w->cat->row;
	}
	return status;
}

enum tsl_status
npyio_concat(struct npyio_concat *w, int64_t first, int64_t n, char *dst,
	     struct tsl_error *err)
{
	int64_t length = w->cat->row;
	enum tsl_status status = TSL_OK;

	while (n > 0 && !status) {
		int64_t row = first / length, at = first % length;
		int64_t some = n / length * length;

		if (at > 0 || some == 0) {
			some = tsl_min(n, length - at);
			status = make_part_of_row(w, row, at, some, dst, err);
		} else {
			status = make_rows(w, row, n / length, dst, err);
		}
		first += some;
		n -= some;
		dst += some;
	}
	return status;
}

/* ---- boxes --------------------------------------------------------------- */

/* How a box of a part is fetched. */
static enum tsl_pattern
pattern_of(const struct tsl_cat_part *part, const struct tsl_view *box)
{
	int last = box->ndim - 1;

	if (!part->is_dense)
		return TSL_PATTERN_TRANSPOSED;
	return last >= 0 && box->stride[last] == box->width &&
			       box->dim[last] >= MIN_READ / box->width
		       ? TSL_PATTERN_ROWS
		       : TSL_PATTERN_BOX;
}

/* What of a box is a part's, one row behind the other. */
static enum tsl_status
get_box(struct npyio_concat *w, const struct tsl_cat_part *part,
	const struct tsl_view *box, char *dst, struct tsl_error *err)
{
	const struct tsl_dtype *dtype = &w->cat->job.out.dtype;
	int64_t stride[TSL_MAX_DIMS + 1];
	enum tsl_status status = acquire(w, part->input, err);
	int64_t n;

	if (status)
		return status;
	tsl_view_dense(box, stride);
	status = npyio_fetch(&w->fetch, pattern_of(part, box), box, stride, dst,
			     err);
	if (status || !part->is_turned)
		return status;
	/* A coalesced view may be of narrower elements. */
	n = tsl_view_count(box) * box->width / dtype->size;
	return tsl_byte_order_convert(dst, n, &part->array->dtype, dtype, err);
}

/* The same in its place in the box, whose rows are of 'row' bytes. */
static enum tsl_status
put_box(struct npyio_concat *w, const struct tsl_cat_part *part,
	const struct tsl_cat_box *box, int64_t row, int64_t nrows, char *dst,
	struct tsl_error *err)
{
	struct tsl_view view;
	int64_t at = 0, n = tsl_cat_part_box(w->cat, part, box, &view, &at);
	enum tsl_status status;

	if (n == 0)
		return TSL_OK;
	if (n == row || nrows == 1)
		return get_box(w, part, &view, dst + at, err);
	status = reserve(w, n * nrows, err);
	if (!status)
		status = get_box(w, part, &view, w->scratch, err);
	if (!status)
		tsl_put_columns(dst + at, row, w->scratch, (size_t)n, nrows);
	return status;
}

enum tsl_status
npyio_concat_box(struct npyio_concat *w, const struct tsl_cat_box *box,
		 char *dst, struct tsl_error *err)
{
	const struct tsl_cat_job *cat = w->cat;
	int64_t lo = box->start[cat->axis] * cat->inner;
	int64_t hi = lo + box->extent[cat->axis] * cat->inner;
	int64_t nrows, row = tsl_cat_box_row(cat, box, &nrows);
	enum tsl_status status = TSL_OK;

	for (int64_t i = tsl_cat_find(cat, lo);
	     i < cat->nparts && cat->part[i].at < hi && !status; i++)
		status = put_box(w, &cat->part[i], box, row, nrows, dst, err);
	return status;
}
