/*
 * compare.c - whether two arrays hold the same elements, and where they do not
 *
 * Each worker keeps the first of the differences that it has found.  Where more
 * are wanted than it should keep, there is one worker, who goes through both in
 * C order and tells of each at once.
 */
#include "compare.h"

#include "compare_plan.h"
#include "lib/base/byte_order.h"
#include "lib/base/minmax.h"
#include "lib/kernel/kernel.h"
#include "lib/view/walk.h"
#include "mismatches.h"
#include "npyio/file/workers.h"
#include "npyio/transfer/common/buffer.h"
#include "npyio/transfer/common/fetch.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

/* Elements in which a difference is looked for at once. */
#define STRETCH 64

struct worker {
	bool ready;
	char *buffer[2];
	struct npyio_fetch fetch[2];
	struct npyio_mismatches mismatches;
};

struct compare {
	struct npyio_compare_plan plan;
	bool begun; /* with 'once': a box has been, and not to its end */
	struct tsl_turner turner[2]; /* to the first one's dtype */
	bool alike; /* the byte orders are the same */
	tsl_differ *differ;
	bool in_place; /* the second array's bytes are turned before that */
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
		npyio_fetch_init(&w->fetch[k], m->plan.c->in[k], m->plan.room);
		if (m->plan.mapped[k])
			npyio_fetch_from(&w->fetch[k], m->plan.mapped[k],
					 m->plan.lo[k]);
	}
	for (int k = 0; k < 2; k++) {
		w->buffer[k] = npyio_buffer_new((size_t)m->plan.largest);
		if (!w->buffer[k])
			return tsl_fail(err, TSL_EMEMORY,
					"out of memory for %lld bytes of input",
					(long long)m->plan.largest);
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

	tsl_cut_box(&m->plan.cut[k], i, &box);
	tsl_view_coalesce(&box.view);
	tsl_view_dense(&box.view, stride);
	return npyio_fetch(&w->fetch[k], m->plan.pattern[k], &box.view, stride,
			   w->buffer[k], err);
}

/* Tells of element i of the buffers, or keeps it. */
static enum tsl_status
take_place(struct compare *m, struct worker *w, int64_t number, int64_t i,
	   struct tsl_error *err)
{
	const char *a = w->buffer[0] + i * m->plan.width;
	char *b = w->buffer[1] + i * m->plan.width;

	if (!m->in_place)
		tsl_turner_run(&m->turner[1], b, 1);
	if (!m->plan.at_once)
		return npyio_mismatches_add(&w->mismatches, number, a, b, err);
	m->told++;
	return m->plan.c->found(m->plan.c->context, number, a, b, err);
}

static bool
wants(const struct compare *m, const struct worker *w, int64_t number)
{
	return m->plan.at_once ? m->told < m->plan.c->list
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

		if (m->differ(a + i * m->plan.width, b + i * m->plan.width, n,
			      m->plan.width) == 0) {
			i += n;
			number += n * step;
			continue;
		}
		for (; n > 0 && !status; n--, i++, number += step)
			if (wants(m, w, number) &&
			    m->differ(a + i * m->plan.width,
				      b + i * m->plan.width, 1,
				      m->plan.width) != 0)
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

	tsl_cut_box(&m->plan.cut[NPYIO_COMPARE_NUMBERS], i, &box);
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
	size_t nbytes = (size_t)(n * m->plan.width);
	bool turns = m->turner[0].acts || (m->in_place && m->turner[1].acts);

	/* Most often all bytes are the same, those of no element too. */
	if (m->alike && memcmp(a, b, nbytes) == 0)
		return 0;
	tsl_turner_run(&m->turner[0], a, n);
	if (m->in_place)
		tsl_turner_run(&m->turner[1], b, n);
	if (turns && memcmp(a, b, nbytes) == 0)
		return 0;
	return m->differ(a, b, n, m->plan.width);
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

	if (m->plan.c->stop_early && atomic_load(&m->count) > 0)
		return TSL_OK;
	if (m->plan.once && m->begun)
		return tsl_no_memory(err);
	status = prepare(m, w, err);
	if (m->plan.once)
		m->begun = !status;
	for (int k = 0; k < 2 && !status; k++)
		status = fetch_box(m, w, k, i, err);
	if (status)
		return status;
	tsl_cut_box(&m->plan.cut[NPYIO_COMPARE_NUMBERS], i, &box);
	n = tsl_view_count(&box.view);
	different = count_different(m, w, n);
	if (different > 0)
		status = search_box(m, w, i, err);
	/* A task that found no memory is done again. */
	if (status)
		return status;
	if (m->plan.once)
		m->begun = false;
	atomic_fetch_add(&m->count, different);
	if (m->plan.c->progress)
		m->plan.c->progress(n * m->plan.width);
	return TSL_OK;
}

/* ---- all of it ----------------------------------------------------------- */

static enum tsl_status
open_turners(struct compare *m, struct tsl_error *err)
{
	const struct tsl_dtype *to =
		&npyio_reader_array(m->plan.c->in[0])->dtype;
	enum tsl_status status = TSL_OK;
	int64_t unit;

	m->alike =
		strcmp(to->descr,
		       npyio_reader_array(m->plan.c->in[1])->dtype.descr) == 0;
	for (int k = 0; k < 2 && !status; k++)
		status = tsl_turner_init(
			&m->turner[k],
			&npyio_reader_array(m->plan.c->in[k])->dtype, to, true,
			err);
	/* What is numbers and nothing else is compared as it stands. */
	unit = m->turner[1].unit;
	m->in_place = unit == 0 || unit > 8;
	m->differ = tsl_differ_for(m->plan.width, m->in_place ? 0 : unit);
	return status;
}

static enum tsl_status
open_workers(struct compare *m, struct tsl_error *err)
{
	m->workers = calloc((size_t)m->plan.nworkers, sizeof(*m->workers));
	if (!m->workers)
		return tsl_no_memory(err);
	for (int i = 0; i < m->plan.nworkers; i++)
		npyio_mismatches_init(&m->workers[i].mismatches,
				      m->plan.at_once ? 0 : m->plan.c->list,
				      m->plan.width);
	return TSL_OK;
}

static void
close_workers(struct compare *m)
{
	for (int i = 0; i < m->plan.nworkers && m->workers; i++)
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

	for (int i = 1; i < m->plan.nworkers; i++) {
		const struct npyio_mismatches *more = &m->workers[i].mismatches;

		for (int64_t k = 0; k < more->n && !status; k++) {
			number = npyio_mismatches_get(more, k, &a, &b);
			status = npyio_mismatches_add(first, number, a, b, err);
		}
	}
	for (int64_t k = 0; k < first->n && !status; k++) {
		number = npyio_mismatches_get(first, k, &a, &b);
		status =
			m->plan.c->found(m->plan.c->context, number, a, b, err);
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
		status = npyio_run_tasks(
			do_box, release, m,
			m->plan.cut[NPYIO_COMPARE_NUMBERS].count,
			m->plan.nworkers, err);
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
	struct compare m = { .begun = false };
	enum tsl_status status;

	*count = 0;
	status = npyio_compare_plan_make(&m.plan, c, err);
	if (status || tsl_array_nbytes(npyio_reader_array(c->in[0])) == 0)
		return status;
	status = compare_boxes(&m, err);
	npyio_compare_plan_close(&m.plan);
	*count = atomic_load(&m.count);
	return status;
}
