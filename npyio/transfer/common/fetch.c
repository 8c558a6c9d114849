/*
 * fetch.c - the elements of a view of an input, into memory
 */
#include "fetch.h"

#include "buffer.h"
#include "lib/base/minmax.h"
#include "lib/view/walk.h"
#include "npyio/file/fd.h"
#include "npyio/input/reader_remote.h"

#include <stdlib.h>
#include <string.h>

/* An array that is read sooner than it is mapped. */
#define MIN_MAPPED ((int64_t)32 * 1024)

/*
 * Runs of bytes further apart than this are read one by one: where the page
 * cache does not hold them, a mapping would bring in what lies between.
 */
#define FAR_APART ((int64_t)64 * 1024)

/* A run of fewer bytes takes less time than the system call that reads it. */
#define MIN_PACKED 512

/* Bytes of a panel, and the rows or columns of it that fill a tile. */
#define PANEL ((int64_t)256 * 1024)
#define MIN_PANEL 64

/* Of runs that have to come from a disk, so much is asked for at once. */
#define MAX_EXPECTED_NBYTES ((int64_t)4 * 1024 * 1024)

/*
 * Of a stream's claims no more is believed at once than this: memory grows
 * with what arrives.
 */
#define STREAM_STEP ((int64_t)256 * 1024)

void
npyio_fetch_init(struct npyio_fetch *f, struct npyio_reader *in, int64_t room)
{
	int64_t offset;
	int fd;

	*f = (struct npyio_fetch){ .in = in, .room = room };
	f->forward =
		npyio_reader_is_stream(in) && !npyio_reader_is_buffered(in);
	/* A mapping shows nothing of what is still far away. */
	if (npyio_reader_is_remote(in) && !npyio_reader_is_here(in))
		return;
	if (!f->forward && room >= NPYIO_MIN_MAPPED_ROOM &&
	    tsl_array_extent(npyio_reader_array(in)) >= MIN_MAPPED &&
	    npyio_reader_file(in, &fd, &offset))
		npyio_window_init(&f->window, npyio_reader_name(in));
}

void
npyio_fetch_close(struct npyio_fetch *f)
{
	npyio_window_close(&f->window);
	free(f->scratch);
	f->scratch = NULL;
}

void
npyio_fetch_from(struct npyio_fetch *f, const char *bytes, int64_t lo)
{
	f->mapped = bytes;
	f->mapped_lo = lo;
}

/* ---- bytes --------------------------------------------------------------- */

static enum tsl_status
reserve(struct npyio_fetch *f, int64_t nbytes, struct tsl_error *err)
{
	char *scratch;

	if (nbytes <= f->scratch_nbytes)
		return TSL_OK;
	/* Of a stream, what is there already is still wanted. */
	if (f->forward) {
		scratch = realloc(f->scratch, (size_t)nbytes);
	} else {
		free(f->scratch);
		f->scratch = NULL;
		f->scratch_nbytes = 0;
		scratch = npyio_buffer_new((size_t)nbytes);
	}
	if (!scratch)
		return tsl_fail(err, TSL_EMEMORY,
				"out of memory for %lld bytes of input",
				(long long)nbytes);
	f->scratch = scratch;
	f->scratch_nbytes = nbytes;
	return TSL_OK;
}

/* Drops bytes of the stream that lie before 'lo', taken already or not. */
static enum tsl_status
skip_to(struct npyio_fetch *f, int64_t lo, struct tsl_error *err)
{
	enum tsl_status status = TSL_OK;

	if (lo < f->hi) {
		if (lo > f->lo)
			memmove(f->scratch, f->scratch + (lo - f->lo),
				(size_t)(f->hi - lo));
		f->lo = lo;
		return TSL_OK;
	}
	if (npyio_reader_skip(f->in, lo - f->hi))
		f->hi = lo;
	while (f->hi < lo && !status) {
		int64_t n = tsl_min(lo - f->hi, f->scratch_nbytes);

		status = npyio_reader_take(f->in, f->scratch, n, err);
		f->hi += n;
	}
	f->lo = lo;
	return status;
}

/* Brings bytes [lo, hi) of the stream into scratch, from its begin on. */
static enum tsl_status
take(struct npyio_fetch *f, int64_t lo, int64_t hi, struct tsl_error *err)
{
	enum tsl_status status = reserve(f, STREAM_STEP, err);

	if (!status)
		status = skip_to(f, lo, err);
	while (f->hi < hi && !status) {
		int64_t n = tsl_min(hi - f->hi, STREAM_STEP);
		int64_t have = f->hi - lo;

		if (have + n > f->scratch_nbytes)
			status = reserve(f, have + tsl_max(have, n), err);
		if (!status)
			status = npyio_reader_take(f->in, f->scratch + have, n,
						   err);
		f->hi += n;
	}
	return status;
}

enum tsl_status
npyio_fetch_bytes(struct npyio_fetch *f, int64_t lo, int64_t n, char *dst,
		  struct tsl_error *err)
{
	enum tsl_status status;

	if (!f->forward)
		return npyio_reader_read(f->in, lo, n, dst, err);
	/* What is read into place need not be kept. */
	if (f->hi <= lo) {
		status = reserve(f, STREAM_STEP, err);
		if (!status)
			status = skip_to(f, lo, err);
		if (!status)
			status = npyio_reader_take(f->in, dst, n, err);
		f->lo = f->hi = lo + n;
		return status;
	}
	status = take(f, lo, lo + n, err);
	if (!status)
		memcpy(dst, f->scratch, (size_t)n);
	return status;
}

enum tsl_status
npyio_fetch_look(struct npyio_fetch *f, int64_t lo, int64_t hi, bool map,
		 const char **bytes, struct tsl_error *err)
{
	enum tsl_status status;
	int64_t offset;
	int fd;

	if (f->forward) {
		status = take(f, lo, hi, err);
		*bytes = f->scratch;
		return status;
	}
	if (!npyio_reader_file(f->in, &fd, &offset)) {
		*bytes = npyio_reader_memory(f->in) + lo;
		return TSL_OK;
	}
	*bytes = map ? npyio_window_look(&f->window, fd, offset + lo,
					 offset + hi)
		     : NULL;
	if (*bytes)
		return TSL_OK;
	status = reserve(f, hi - lo, err);
	if (!status)
		status = npyio_reader_read(f->in, lo, hi - lo, f->scratch, err);
	*bytes = f->scratch;
	return status;
}

void
npyio_fetch_expect(const struct npyio_fetch *f, const int64_t offset[],
		   int64_t n, int64_t nbytes)
{
	int64_t most = tsl_min(n, MAX_EXPECTED_NBYTES / nbytes);
	int64_t i = 0;
	int64_t data;
	int fd;

	while (i < most && offset[i] < 0)
		i++;
	if (i >= most || f->forward || !npyio_reader_file(f->in, &fd, &data) ||
	    npyio_fd_is_at_hand(fd, data + offset[i]))
		return;
	for (; i < most; i++)
		if (offset[i] >= 0)
			npyio_fd_expect(fd, data + offset[i], nbytes);
}

/* ---- views --------------------------------------------------------------- */

/* The dims of a view by how far apart their elements are, closest first. */
static void
sort_dims(const struct tsl_view *v, int order[])
{
	for (int i = 0; i < v->ndim; i++) {
		int64_t stride = tsl_magnitude(v->stride[i]);
		int j = i;

		while (j > 0 &&
		       tsl_magnitude(v->stride[order[j - 1]]) > stride) {
			order[j] = order[j - 1];
			j--;
		}
		order[j] = i;
	}
}

/* A view's bytes in the order of the input: runs without gaps, dims of runs. */
struct runs {
	struct tsl_view view; /* of runs, the furthest apart outermost */
	int64_t nbytes; /* of a run */
	struct tsl_view packed; /* the same elements, the runs without gaps */
};

static void
find_runs(struct runs *r, const struct tsl_view *v)
{
	int order[TSL_MAX_DIMS + 1];
	int64_t nbytes = v->width;
	int64_t hi;
	int in_run = 0;

	sort_dims(v, order);
	r->packed = *v;
	while (in_run < v->ndim &&
	       tsl_magnitude(v->stride[order[in_run]]) == nbytes)
		nbytes *= v->dim[order[in_run++]];
	r->nbytes = nbytes;
	r->view = (struct tsl_view){ .width = nbytes };
	tsl_view_span(v, &r->view.offset, &hi);
	r->packed.offset = v->offset - r->view.offset;
	r->view.ndim = v->ndim - in_run;
	for (int i = in_run; i < v->ndim; i++) {
		int64_t stride = v->stride[order[i]];
		int d = v->ndim - 1 - i;

		r->view.dim[d] = v->dim[order[i]];
		r->view.stride[d] = tsl_magnitude(stride);
		r->packed.stride[order[i]] = stride < 0 ? -nbytes : nbytes;
		if (stride < 0)
			r->packed.offset -=
				(v->dim[order[i]] - 1) * (-stride - nbytes);
		nbytes *= v->dim[order[i]];
	}
}

/* The elements of a view, in the order of the input. */
static void
sort_view(struct tsl_view *sorted, const struct tsl_view *v)
{
	int order[TSL_MAX_DIMS + 1];
	int64_t hi;

	sort_dims(v, order);
	*sorted = *v;
	tsl_view_span(v, &sorted->offset, &hi);
	for (int i = 0; i < v->ndim; i++) {
		int d = v->ndim - 1 - i;

		sorted->dim[d] = v->dim[order[i]];
		sorted->stride[d] = tsl_magnitude(v->stride[order[i]]);
	}
	tsl_view_coalesce(sorted);
}

/* Moves on to the next run; returns false after the last. */
static bool
next_run(const struct tsl_view *runs, int64_t index[], int64_t *offset)
{
	for (int d = runs->ndim - 1; d >= 0; d--) {
		*offset += runs->stride[d];
		if (++index[d] < runs->dim[d])
			return true;
		*offset -= runs->dim[d] * runs->stride[d];
		index[d] = 0;
	}
	return false;
}

/* Has those asked for that come after a run, which may be there by chance: the
   first of all may have come with the header. */
static void
expect_runs(const struct npyio_fetch *f, const struct tsl_view *runs,
	    const int64_t index[], int64_t offset)
{
	int64_t at[TSL_MAX_DIMS + 1], next[NPYIO_MAX_EXPECTED];
	int64_t n = 0;

	memcpy(at, index, (size_t)runs->ndim * sizeof(*at));
	while (n < NPYIO_MAX_EXPECTED && next_run(runs, at, &offset))
		next[n++] = offset;
	npyio_fetch_expect(f, next, n, runs->width);
}

/* Reads the runs of a view one behind the other. */
static enum tsl_status
read_runs(struct npyio_fetch *f, const struct tsl_view *runs, char *dst,
	  struct tsl_error *err)
{
	int64_t index[TSL_MAX_DIMS + 1] = { 0 };
	int64_t offset = runs->offset;
	int64_t i = 0;
	enum tsl_status status;

	do {
		if (i++ % NPYIO_MAX_EXPECTED == 0)
			expect_runs(f, runs, index, offset);
		status = npyio_fetch_bytes(f, offset, runs->width, dst, err);
		dst += runs->width;
	} while (!status && next_run(runs, index, &offset));
	return status;
}

/* The dim whose elements reach furthest. */
static int
widest_dim(const struct tsl_view *v)
{
	int widest = 0;
	int64_t most = -1;

	for (int i = 0; i < v->ndim; i++) {
		int64_t reach = (v->dim[i] - 1) * tsl_magnitude(v->stride[i]);

		if (reach > most) {
			most = reach;
			widest = i;
		}
	}
	return widest;
}

/*
 * Runs are packed where a mapping would bring in too much.  If they repay a
 * system call they are, too, where they could only be looked at in parts that
 * cut the rows of the output too short for tiles; and where nothing is mapped,
 * and most of what would be read lies between them.
 */
static bool
is_to_be_packed(const struct npyio_fetch *f, const struct runs *r,
		const struct tsl_view *v, int64_t span)
{
	bool cuts_rows = span > f->room && widest_dim(v) == v->ndim - 1;
	bool is_sparse =
		!f->window.name && span / 2 > v->width * tsl_view_count(v);

	return r->view.ndim > 0 &&
	       (r->view.stride[r->view.ndim - 1] >= FAR_APART ||
		((cuts_rows || is_sparse) && r->nbytes >= MIN_PACKED));
}

/* Runs that lie far apart are read together, then put in their places. */
static enum tsl_status
pack(struct npyio_fetch *f, const struct tsl_view *v,
     const int64_t dst_stride[], char *dst, struct tsl_error *err)
{
	enum tsl_status status = reserve(f, v->width * tsl_view_count(v), err);
	struct runs runs;

	find_runs(&runs, v);
	if (!status)
		status = read_runs(f, &runs.view, f->scratch, err);
	if (!status)
		tsl_view_fill(&runs.packed, dst_stride, f->scratch, 0, dst);
	return status;
}

/* A view in panels, each of which is used up before it leaves the second cache.
 */
static enum tsl_status
pack_panels(struct npyio_fetch *f, const struct tsl_view *v,
	    const int64_t dst_stride[], char *dst, struct tsl_error *err)
{
	int d = widest_dim(v);
	int64_t step = d == v->ndim - 1 ? v->width : dst_stride[d];
	int64_t nbytes = v->width * tsl_view_count(v) / v->dim[d];
	int64_t n = tsl_max(PANEL / nbytes, MIN_PANEL);
	struct tsl_view panel = *v;
	enum tsl_status status = TSL_OK;

	for (int64_t i = 0; i < v->dim[d] && !status; i += n) {
		panel.dim[d] = tsl_min(n, v->dim[d] - i);
		panel.offset = v->offset + i * v->stride[d];
		status = pack(f, &panel, dst_stride, dst + i * step, err);
	}
	return status;
}

/* Runs that stand in the output as they do in the input are read into place. */
static enum tsl_status
read_rows(struct npyio_fetch *f, const struct tsl_view *v,
	  const int64_t dst_stride[], char *dst, struct tsl_error *err)
{
	struct tsl_view row = *v;
	enum tsl_status status = TSL_OK;
	int inner = v->ndim - 1;

	/* Of rows of one element there may be but the dim of the rows left. */
	if (v->ndim == 0 || (v->ndim == 1 && v->stride[0] == v->width))
		return npyio_fetch_bytes(
			f, v->offset, v->width * tsl_view_count(v), dst, err);
	/* Outermost dim first: a recursion as deep as there are dims. */
	row.ndim = inner;
	for (int i = 0; i < inner; i++) {
		row.dim[i] = v->dim[i + 1];
		row.stride[i] = v->stride[i + 1];
	}
	for (int64_t i = 0; i < v->dim[0] && !status; i++) {
		status = read_rows(f, &row, dst_stride + 1,
				   dst + i * dst_stride[0], err);
		row.offset += v->stride[0];
	}
	return status;
}

static enum tsl_status fetch_some(struct npyio_fetch *f,
				  enum tsl_pattern pattern,
				  const struct tsl_view *v,
				  const int64_t dst_stride[], char *dst,
				  struct tsl_error *err);

/* Both halves of a view that spans too much. */
static enum tsl_status
halve(struct npyio_fetch *f, enum tsl_pattern pattern, const struct tsl_view *v,
      const int64_t dst_stride[], char *dst, struct tsl_error *err)
{
	int d = widest_dim(v);
	int64_t half = v->dim[d] / 2;
	int64_t step = d == v->ndim - 1 ? v->width : dst_stride[d];
	struct tsl_view part = *v;
	enum tsl_status status;

	part.dim[d] = half;
	status = fetch_some(f, pattern, &part, dst_stride, dst, err);
	part.dim[d] = v->dim[d] - half;
	part.offset += half * v->stride[d];
	if (!status)
		status = fetch_some(f, pattern, &part, dst_stride,
				    dst + half * step, err);
	return status;
}

static enum tsl_status
fetch_some(struct npyio_fetch *f, enum tsl_pattern pattern,
	   const struct tsl_view *v, const int64_t dst_stride[], char *dst,
	   struct tsl_error *err)
{
	enum tsl_status status;
	const char *bytes;
	struct runs runs;
	int64_t lo, hi;
	bool map;

	tsl_view_span(v, &lo, &hi);
	/*
	 * Where all is wanted a copy out of the page cache is as fast as a
	 * mapping, whatever pages the cache is made of; but for tiles, which
	 * copy by themselves.
	 */
	map = pattern == TSL_PATTERN_TRANSPOSED ||
	      v->width * tsl_view_count(v) < hi - lo;
	if (map && !f->forward) {
		find_runs(&runs, v);
		if (v->width * tsl_view_count(v) <= f->room &&
		    is_to_be_packed(f, &runs, v, hi - lo))
			return pack_panels(f, v, dst_stride, dst, err);
	}
	if (hi - lo > f->room && hi - lo > v->width)
		return halve(f, pattern, v, dst_stride, dst, err);
	status = npyio_fetch_look(f, lo, hi, map, &bytes, err);
	if (!status)
		tsl_view_fill(v, dst_stride, bytes, lo, dst);
	return status;
}

enum tsl_status
npyio_fetch(struct npyio_fetch *f, enum tsl_pattern pattern,
	    const struct tsl_view *v, const int64_t dst_stride[], char *dst,
	    struct tsl_error *err)
{
	if (pattern == TSL_PATTERN_RUN || pattern == TSL_PATTERN_ROWS)
		return read_rows(f, v, dst_stride, dst, err);
	if (f->mapped) {
		tsl_view_fill(v, dst_stride, f->mapped, f->mapped_lo, dst);
		return TSL_OK;
	}
	return fetch_some(f, pattern, v, dst_stride, dst, err);
}

enum tsl_status
npyio_fetch_packed(struct npyio_fetch *f, enum tsl_pattern pattern,
		   const struct tsl_view *v, struct tsl_view *packed, char *dst,
		   struct tsl_error *err)
{
	int64_t stride[TSL_MAX_DIMS + 1];
	struct tsl_view sorted;
	struct runs runs;

	find_runs(&runs, v);
	*packed = runs.packed;
	sort_view(&sorted, v);
	tsl_view_dense(&sorted, stride);
	return fetch_some(f, pattern, &sorted, stride, dst, err);
}
