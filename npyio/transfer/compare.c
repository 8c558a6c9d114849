/*
 * compare.c - whether two arrays hold the same elements, and where they do not
 *
 * Both arrays are views with the dims in one order, the visit's, and are cut
 * into the same boxes; a third view, of the elements' numbers in C order, says
 * where a box's elements are.  The order is that of the arrays, if they have
 * one; a box is then one run of either.  Else it is that of one, and boxes of
 * the other are put in order while they are fetched.
 *
 * Each worker keeps the first of the differences that it has found.  Where more
 * are wanted than it should keep, there is one worker, who goes through both in
 * C order and tells of each at once.
 */
#include "compare.h"

#include "lib/base/byte_order.h"
#include "lib/base/minmax.h"
#include "lib/kernel/kernel.h"
#include "lib/op/slice.h"
#include "lib/view/cut.h"
#include "lib/view/walk.h"
#include "mismatches.h"
#include "npyio/file/workers.h"
#include "npyio/input/reader_remote.h"
#include "npyio/transfer/common/buffer.h"
#include "npyio/transfer/common/fetch.h"
#include "npyio/transfer/common/output.h"
#include "npyio/transfer/common/view_window.h"
#include "prepare.h"
#include "verify_crc.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

/* Of each array so much at once stays in the second cache until it is used. */
#define CHUNK ((int64_t)256 * 1024)

/* The longer the runs of a transposed box, the fewer. */
#define MAX_BOX ((int64_t)8 * 1024 * 1024)
#define MIN_BOX ((int64_t)64 * 1024)

/* From a mapping they are as well made small, and stay in the cache. */
#define MAX_MAPPED_BOX ((int64_t)2 * 1024 * 1024)

/* With less to look through, threads cost more than they bring. */
#define MIN_FOR_THREADS ((int64_t)8 * 1024 * 1024)

/* What a worker keeps of the mismatches; less where there is little memory. */
#define MAX_PLACES_NBYTES ((int64_t)256 * 1024)
#define PLACES_SHARE 8

/* Elements in which a difference is looked for at once. */
#define STRETCH 64

#define NUMBERS 2 /* which of the views has the elements' numbers */

struct worker {
	bool ready;
	char *buffer[2];
	struct npyio_fetch fetch[2];
	struct npyio_mismatches mismatches;
};

struct compare {
	const struct npyio_comparison *c;
	struct npyio_transfer inputs; /* as others see them */
	int64_t width; /* bytes of an element */
	bool by_columns; /* the visit's order is Fortran's */
	bool at_once; /* differences are told of when they are found */
	bool once; /* no box can be gone through another time: */
	bool begun; /* one has been, and not to its end */
	enum tsl_pattern pattern[2];
	struct tsl_cut cut[3]; /* of each array, and of the numbers */
	int64_t largest; /* bytes of a box */
	int64_t room; /* bytes of an array that are spanned at once */
	struct npyio_window window[2]; /* on arrays in another order */
	const char *mapped[2]; /* from 'lo' on; NULL: fetched in parts */
	int64_t lo[2];
	struct tsl_turner turner[2]; /* to the first one's dtype */
	bool alike; /* the byte orders are the same */
	tsl_differ *differ;
	bool in_place; /* the second array's bytes are turned before that */
	int nworkers;
	struct worker *workers;
	int64_t told;
	atomic_int_least64_t count;
};

/* ---- one box ------------------------------------------------------------- */

static enum tsl_status
prepare(const struct compare *m, struct worker *w, struct tsl_error *err)
{
	if (w->ready)
		return TSL_OK;
	w->ready = true;
	for (int k = 0; k < 2; k++) {
		npyio_fetch_init(&w->fetch[k], m->c->in[k], m->room);
		if (m->mapped[k])
			npyio_fetch_from(&w->fetch[k], m->mapped[k], m->lo[k]);
	}
	for (int k = 0; k < 2; k++) {
		w->buffer[k] = npyio_buffer_new((size_t)m->largest);
		if (!w->buffer[k])
			return tsl_fail(err, TSL_EMEMORY,
					"out of memory for %lld bytes of input",
					(long long)m->largest);
	}
	return TSL_OK;
}

/* What it has found stays. */
static void
release(void *work, int worker)
{
	struct compare *m = work;
	struct worker *w = &m->workers[worker];

	for (int k = 0; k < 2 && w->ready; k++) {
		npyio_fetch_close(&w->fetch[k]);
		free(w->buffer[k]);
		w->buffer[k] = NULL;
	}
	w->ready = false;
}

/* A box of array k, without gaps. */
static enum tsl_status
fetch_box(const struct compare *m, struct worker *w, int k, int64_t i,
	  struct tsl_error *err)
{
	int64_t stride[TSL_MAX_DIMS + 1];
	struct tsl_box box;

	tsl_cut_box(&m->cut[k], i, &box);
	tsl_view_coalesce(&box.view);
	tsl_view_dense(&box.view, stride);
	return npyio_fetch(&w->fetch[k], m->pattern[k], &box.view, stride,
			   w->buffer[k], err);
}

/* Tells of element i of the buffers, or keeps it. */
static enum tsl_status
take_place(struct compare *m, struct worker *w, int64_t number, int64_t i,
	   struct tsl_error *err)
{
	const char *a = w->buffer[0] + i * m->width;
	char *b = w->buffer[1] + i * m->width;

	if (!m->in_place)
		tsl_turner_run(&m->turner[1], b, 1);
	if (!m->at_once)
		return npyio_mismatches_add(&w->mismatches, number, a, b, err);
	m->told++;
	return m->c->found(m->c->context, number, a, b, err);
}

static bool
wants(const struct compare *m, const struct worker *w, int64_t number)
{
	return m->at_once ? m->told < m->c->list
			  : npyio_mismatches_wants(&w->mismatches, number);
}

/*
 * Elements [i, end) of the buffers are a row, of numbers that grow by 'step'.
 */
static enum tsl_status
search_row(struct compare *m, struct worker *w, int64_t number, int64_t step,
	   int64_t i, int64_t end, struct tsl_error *err)
{
	const char *a = w->buffer[0], *b = w->buffer[1];
	enum tsl_status status = TSL_OK;

	while (i < end && !status && wants(m, w, number)) {
		int64_t n = tsl_min(STRETCH, end - i);

		if (m->differ(a + i * m->width, b + i * m->width, n,
			      m->width) == 0) {
			i += n;
			number += n * step;
			continue;
		}
		for (; n > 0 && !status; n--, i++, number += step)
			if (wants(m, w, number) &&
			    m->differ(a + i * m->width, b + i * m->width, 1,
				      m->width) != 0)
				status = take_place(m, w, number, i, err);
	}
	return status;
}

/* Looks for differences, of which there are some, in box i. */
static enum tsl_status
search_box(struct compare *m, struct worker *w, int64_t i,
	   struct tsl_error *err)
{
	int64_t index[TSL_MAX_DIMS + 1] = { 0 };
	enum tsl_status status;
	struct tsl_box box;
	struct tsl_view *v = &box.view;
	int64_t row = 1, step = 0, at = 0;
	int d;

	tsl_cut_box(&m->cut[NUMBERS], i, &box);
	if (v->ndim > 0) {
		row = v->dim[v->ndim - 1];
		step = v->stride[v->ndim - 1];
	}
	do {
		status = search_row(m, w, v->offset, step, at, at + row, err);
		at += row;
		for (d = v->ndim - 2; d >= 0; d--) {
			v->offset += v->stride[d];
			if (++index[d] < v->dim[d])
				break;
			v->offset -= v->dim[d] * v->stride[d];
			index[d] = 0;
		}
	} while (d >= 0 && !status);
	return status;
}

/* How many of the n elements in the buffers differ. */
static int64_t
count_different(const struct compare *m, struct worker *w, int64_t n)
{
	char *a = w->buffer[0], *b = w->buffer[1];
	size_t nbytes = (size_t)(n * m->width);
	bool turns = m->turner[0].acts || (m->in_place && m->turner[1].acts);

	/* Most often all bytes are the same, those of no element too. */
	if (m->alike && memcmp(a, b, nbytes) == 0)
		return 0;
	tsl_turner_run(&m->turner[0], a, n);
	if (m->in_place)
		tsl_turner_run(&m->turner[1], b, n);
	if (turns && memcmp(a, b, nbytes) == 0)
		return 0;
	return m->differ(a, b, n, m->width);
}

/* An npyio_task. */
static enum tsl_status
do_box(void *work, int worker, int64_t i, struct tsl_error *err)
{
	struct compare *m = work;
	struct worker *w = &m->workers[worker];
	enum tsl_status status = TSL_OK;
	struct tsl_box box;
	int64_t n, different;

	if (m->c->stop_early && atomic_load(&m->count) > 0)
		return TSL_OK;
	if (m->once && m->begun)
		return tsl_no_memory(err);
	status = prepare(m, w, err);
	if (m->once)
		m->begun = !status;
	for (int k = 0; k < 2 && !status; k++)
		status = fetch_box(m, w, k, i, err);
	if (status)
		return status;
	tsl_cut_box(&m->cut[NUMBERS], i, &box);
	n = tsl_view_count(&box.view);
	different = count_different(m, w, n);
	if (different > 0)
		status = search_box(m, w, i, err);
	/* A task that found no memory is done again. */
	if (status)
		return status;
	if (m->once)
		m->begun = false;
	atomic_fetch_add(&m->count, different);
	if (m->c->progress)
		m->c->progress(n * m->width);
	return TSL_OK;
}

/* ---- the plan ------------------------------------------------------------ */

static bool
is_by_columns(const struct npyio_reader *in)
{
	const struct tsl_array *a = npyio_reader_array(in);

	return a->fortran_order && !tsl_array_is_1d(a);
}

/* A stream that has not been kept. */
static bool
is_forward(const struct npyio_reader *in)
{
	return npyio_reader_is_stream(in) && !npyio_reader_is_buffered(in);
}

static int64_t
most_places(const struct compare *m)
{
	int64_t room =
		tsl_min(MAX_PLACES_NBYTES, m->inputs.max_memory / PLACES_SHARE);

	return room / (2 * m->width + (int64_t)sizeof(int64_t));
}

/*
 * The order in which both are gone through: as few as possible of them should
 * have another, and no stream.
 */
static void
choose_order(struct compare *m)
{
	struct npyio_reader *const *in = m->c->in;
	bool by_columns[2] = { is_by_columns(in[0]), is_by_columns(in[1]) };
	bool streams[2] = { is_forward(in[0]), is_forward(in[1]) };

	m->at_once = m->c->list > 1 && m->c->list > most_places(m);
	if (m->at_once)
		m->by_columns = false;
	else if (by_columns[0] == by_columns[1])
		m->by_columns = by_columns[0];
	else if (streams[0] != streams[1])
		m->by_columns = by_columns[streams[1]];
}

/* A field's elements may be in no order, and span more than there is room. */
static bool
is_out_of_order(const struct compare *m, const struct npyio_reader *in)
{
	const struct tsl_array *a = npyio_reader_array(in);

	return a->field ||
	       (is_by_columns(in) != m->by_columns && !tsl_array_is_1d(a));
}

/* Streams that are not in the order of the visit are kept. */
static enum tsl_status
keep_streams(struct compare *m, bool *forward, struct tsl_error *err)
{
	enum tsl_status status = TSL_OK;

	*forward = false;
	for (int k = 0; k < 2 && !status; k++) {
		struct npyio_reader *in = m->c->in[k];

		if (!is_forward(in) && is_out_of_order(m, in))
			status = npyio_reader_download_all(in, err);
		if (!is_forward(in))
			continue;
		if (is_out_of_order(m, in))
			status = npyio_reader_buffer(
				in, tsl_array_extent(npyio_reader_array(in)),
				npyio_room_to_keep(&m->inputs), err);
		else
			*forward = true;
	}
	return status;
}

/* All elements of 'a' in the order of the visit; one that nobody divides. */
static void
view_all(const struct compare *m, const struct tsl_array *a, struct tsl_view *v)
{
	struct tsl_shape shape = tsl_shape_of(a);
	struct tsl_selection sel;

	tsl_select_all(&sel, &shape);
	tsl_view_select(v, a, &sel);
	if (m->by_columns)
		tsl_view_reverse_axes(v);
}

/* Stores the view of each, and which of them says how to cut. */
static int
make_views(struct compare *m, struct tsl_view v[3])
{
	enum tsl_order order = m->by_columns ? TSL_ORDER_F : TSL_ORDER_C;
	struct tsl_array numbers = *npyio_reader_array(m->c->in[0]);
	struct tsl_view *all[3] = { &v[0], &v[1], &v[2] };
	int worst = 0;

	for (int k = 0; k < 2; k++) {
		const struct tsl_array *a = npyio_reader_array(m->c->in[k]);
		struct tsl_job job;

		tsl_slice_all_init(&job, a, order);
		m->pattern[k] = job.pattern;
		if (job.pattern != TSL_PATTERN_RUN)
			worst = k;
		view_all(m, a, &v[k]);
	}
	numbers.dtype.size = 1;
	numbers.field = NULL;
	numbers.fortran_order = false;
	view_all(m, &numbers, &v[NUMBERS]);
	tsl_views_merge(all, 3);
	return worst;
}

static int
count_workers(const struct compare *m, int64_t for_one)
{
	int64_t nbytes = tsl_array_extent(npyio_reader_array(m->c->in[0]));
	int64_t room = npyio_room_left(&m->inputs);
	int64_t n = tsl_min(m->inputs.threads,
			    room / tsl_max(for_one, 2 * m->width));

	if (nbytes < MIN_FOR_THREADS)
		return 1;
	return (int)tsl_max(tsl_min(n, NPYIO_MAX_WORKERS), 1);
}

/* What is in another order than the visit's, as far as there is room. */
static void
map_inputs(struct compare *m, const struct tsl_view v[])
{
	int64_t most =
		npyio_room_to_map(&m->inputs, npyio_room_left(&m->inputs));

	for (int k = 0; k < 2; k++) {
		if (m->pattern[k] != TSL_PATTERN_TRANSPOSED)
			continue;
		m->mapped[k] = npyio_window_look_view(
			&m->window[k], m->c->in[k], &v[k], most, &m->lo[k]);
		most -= npyio_window_nbytes(&m->window[k]);
	}
}

static bool
are_runs(const struct compare *m, bool or_mapped)
{
	for (int k = 0; k < 2; k++)
		if (m->pattern[k] != TSL_PATTERN_RUN &&
		    !(or_mapped && m->mapped[k]))
			return false;
	return true;
}

/* Boxes are runs, or with room for what a transposed one spans. */
static void
share_room(struct compare *m, struct tsl_cut_limits *limits)
{
	int64_t most = are_runs(m, false)  ? CHUNK
		       : are_runs(m, true) ? MAX_MAPPED_BOX
					   : MAX_BOX;
	int64_t room = npyio_room_left(&m->inputs);

	m->nworkers = count_workers(m, tsl_min(4 * most, 2 * MAX_BOX));
	if (limits->in_order)
		m->nworkers = 1;
	room /= m->nworkers;
	limits->out = tsl_min(most, room / 5);
	limits->in = most < MAX_BOX ? INT64_MAX : tsl_max(room / 5, MIN_BOX);
	m->room = tsl_min(limits->in, room / 2);
}

static void
cut_views(struct compare *m)
{
	struct tsl_cut_limits limits = { .in_order = m->once };
	struct tsl_view v[3];
	int worst = make_views(m, v);

	map_inputs(m, v);
	share_room(m, &limits);
	limits.run = npyio_run_to_take(&v[worst], m->mapped[worst] != NULL);
	tsl_cut_init(&m->cut[worst], &v[worst], &limits);
	m->largest = m->width;
	for (int d = 0; d < v[0].ndim; d++)
		m->largest *= m->cut[worst].extent[d];
	/* In as many boxes; what the cut says in bytes is still of that one. */
	for (int k = 0; k < 3; k++) {
		m->cut[k] = m->cut[worst];
		m->cut[k].view = v[k];
	}
}

/* ---- all of it ----------------------------------------------------------- */

static enum tsl_status
open_turners(struct compare *m, struct tsl_error *err)
{
	const struct tsl_dtype *to = &npyio_reader_array(m->c->in[0])->dtype;
	enum tsl_status status = TSL_OK;
	int64_t unit;

	m->alike = strcmp(to->descr,
			  npyio_reader_array(m->c->in[1])->dtype.descr) == 0;
	for (int k = 0; k < 2 && !status; k++)
		status = tsl_turner_init(
			&m->turner[k], &npyio_reader_array(m->c->in[k])->dtype,
			to, true, err);
	/* What is numbers and nothing else is compared as it stands. */
	unit = m->turner[1].unit;
	m->in_place = unit == 0 || unit > 8;
	m->differ = tsl_differ_for(m->width, m->in_place ? 0 : unit);
	return status;
}

static enum tsl_status
open_workers(struct compare *m, struct tsl_error *err)
{
	m->workers = calloc((size_t)m->nworkers, sizeof(*m->workers));
	if (!m->workers)
		return tsl_no_memory(err);
	for (int i = 0; i < m->nworkers; i++)
		npyio_mismatches_init(&m->workers[i].mismatches,
				      m->at_once ? 0 : m->c->list, m->width);
	return TSL_OK;
}

static void
close_workers(struct compare *m)
{
	for (int i = 0; i < m->nworkers && m->workers; i++)
		npyio_mismatches_free(&m->workers[i].mismatches);
	free(m->workers);
}

/* Tells of the first that any worker has found. */
static enum tsl_status
tell(struct compare *m, struct tsl_error *err)
{
	struct npyio_mismatches *first = &m->workers[0].mismatches;
	enum tsl_status status = TSL_OK;
	const char *a, *b;
	int64_t number;

	for (int i = 1; i < m->nworkers; i++) {
		const struct npyio_mismatches *more = &m->workers[i].mismatches;

		for (int64_t k = 0; k < more->n && !status; k++) {
			number = npyio_mismatches_get(more, k, &a, &b);
			status = npyio_mismatches_add(first, number, a, b, err);
		}
	}
	for (int64_t k = 0; k < first->n && !status; k++) {
		number = npyio_mismatches_get(first, k, &a, &b);
		status = m->c->found(m->c->context, number, a, b, err);
	}
	return status;
}

static enum tsl_status
compare_boxes(struct compare *m, struct tsl_error *err)
{
	enum tsl_status status = open_turners(m, err);

	if (!status)
		status = open_workers(m, err);
	if (!status) {
		status = npyio_run_tasks(do_box, release, m,
					 m->cut[NUMBERS].count, m->nworkers,
					 err);
		release(m, 0);
	}
	if (!status)
		status = tell(m, err);
	close_workers(m);
	for (int k = 0; k < 2; k++)
		tsl_turner_free(&m->turner[k]);
	return status;
}

enum tsl_status
npyio_compare(const struct npyio_comparison *c, int64_t *count,
	      struct tsl_error *err)
{
	const struct tsl_array *a = npyio_reader_array(c->in[0]);
	const struct tsl_job whole = { .no_input = true,
				       .nbytes = tsl_array_nbytes(a) };
	struct compare m = {
		.c = c,
		.inputs = { .job = &whole,
			    .in = c->in,
			    .ninputs = 2,
			    .threads = c->threads,
			    .max_memory = c->max_memory,
			    .max_mapped = c->max_mapped },
		.width = a->dtype.size,
	};
	bool forward;
	enum tsl_status status = npyio_verify_crc(&m.inputs, err);

	*count = 0;
	if (status || tsl_array_nbytes(a) == 0)
		return status;
	npyio_read_ahead(&m.inputs);
	choose_order(&m);
	status = keep_streams(&m, &forward, err);
	if (status)
		return status;
	m.once = forward || m.at_once;
	cut_views(&m);
	status = compare_boxes(&m, err);
	for (int k = 0; k < 2; k++)
		npyio_window_close_by(&m.window[k], m.nworkers);
	*count = atomic_load(&m.count);
	return status;
}
