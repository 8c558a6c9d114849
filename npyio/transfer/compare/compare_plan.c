/*
 * compare_plan.c - the order in which two arrays are gone through, and the
 * boxes
 */
#include "compare_plan.h"

#include "lib/base/minmax.h"
#include "lib/op/slice.h"
#include "lib/view/walk.h"
#include "npyio/file/workers.h"
#include "npyio/input/reader_remote.h"
#include "npyio/transfer/common/output.h"
#include "npyio/transfer/common/view_window.h"
#include "npyio/transfer/prepare.h"
#include "npyio/transfer/verify_crc.h"

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

/* ---- the order ----------------------------------------------------------- */

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
most_places(const struct npyio_compare_plan *p)
{
	int64_t room =
		tsl_min(MAX_PLACES_NBYTES, p->inputs.max_memory / PLACES_SHARE);

	return room / (2 * p->width + (int64_t)sizeof(int64_t));
}

/*
 * The order in which both are gone through: as few as possible of them should
 * have another, and no stream.
 */
static void
choose_order(struct npyio_compare_plan *p)
{
	struct npyio_reader *const *in = p->c->in;
	bool by_columns[2] = { is_by_columns(in[0]), is_by_columns(in[1]) };
	bool streams[2] = { is_forward(in[0]), is_forward(in[1]) };

	p->at_once = p->c->list > 1 && p->c->list > most_places(p);
	if (p->at_once)
		p->by_columns = false;
	else if (by_columns[0] == by_columns[1])
		p->by_columns = by_columns[0];
	else if (streams[0] != streams[1])
		p->by_columns = by_columns[streams[1]];
}

/* A field's elements may be in no order, and span more than there is room. */
static bool
is_out_of_order(const struct npyio_compare_plan *p,
		const struct npyio_reader *in)
{
	const struct tsl_array *a = npyio_reader_array(in);

	return a->field ||
	       (is_by_columns(in) != p->by_columns && !tsl_array_is_1d(a));
}

/* Streams that are not in the order of the visit are kept. */
static enum tsl_status
keep_streams(struct npyio_compare_plan *p, bool *forward, struct tsl_error *err)
{
	enum tsl_status status = TSL_OK;

	*forward = false;
	for (int k = 0; k < 2 && !status; k++) {
		struct npyio_reader *in = p->c->in[k];

		if (!is_forward(in) && is_out_of_order(p, in))
			status = npyio_reader_download_all(in, err);
		if (!is_forward(in))
			continue;
		if (is_out_of_order(p, in))
			status = npyio_reader_buffer(
				in, tsl_array_extent(npyio_reader_array(in)),
				npyio_room_to_keep(&p->inputs), err);
		else
			*forward = true;
	}
	return status;
}

/* All elements of 'a' in the order of the visit; one that nobody divides. */
static void
view_all(const struct npyio_compare_plan *p, const struct tsl_array *a,
	 struct tsl_view *v)
{
	struct tsl_shape shape = tsl_shape_of(a);
	struct tsl_selection sel;

	tsl_select_all(&sel, &shape);
	tsl_view_select(v, a, &sel);
	if (p->by_columns)
		tsl_view_reverse_axes(v);
}

/* Stores the view of each, and which of them says how to cut. */
static int
make_views(struct npyio_compare_plan *p, struct tsl_view v[3])
{
	enum tsl_order order = p->by_columns ? TSL_ORDER_F : TSL_ORDER_C;
	struct tsl_array numbers = *npyio_reader_array(p->c->in[0]);
	struct tsl_view *all[3] = { &v[0], &v[1], &v[2] };
	int worst = 0;

	for (int k = 0; k < 2; k++) {
		const struct tsl_array *a = npyio_reader_array(p->c->in[k]);
		struct tsl_job job;

		tsl_slice_all_init(&job, a, order);
		p->pattern[k] = job.pattern;
		if (job.pattern != TSL_PATTERN_RUN)
			worst = k;
		view_all(p, a, &v[k]);
	}
	numbers.dtype.size = 1;
	numbers.field = NULL;
	numbers.fortran_order = false;
	view_all(p, &numbers, &v[NPYIO_COMPARE_NUMBERS]);
	tsl_views_merge(all, 3);
	return worst;
}

static int
count_workers(const struct npyio_compare_plan *p, int64_t for_one)
{
	int64_t nbytes = tsl_array_extent(npyio_reader_array(p->c->in[0]));
	int64_t room = npyio_room_left(&p->inputs);
	int64_t n = tsl_min(p->inputs.threads,
			    room / tsl_max(for_one, 2 * p->width));

	if (nbytes < MIN_FOR_THREADS)
		return 1;
	return (int)tsl_max(tsl_min(n, NPYIO_MAX_WORKERS), 1);
}

/* What is in another order than the visit's, as far as there is room. */
static void
map_inputs(struct npyio_compare_plan *p, const struct tsl_view v[])
{
	int64_t most =
		npyio_room_to_map(&p->inputs, npyio_room_left(&p->inputs));

	for (int k = 0; k < 2; k++) {
		if (p->pattern[k] != TSL_PATTERN_TRANSPOSED)
			continue;
		p->mapped[k] = npyio_window_look_view(
			&p->window[k], p->c->in[k], &v[k], most, &p->lo[k]);
		most -= npyio_window_nbytes(&p->window[k]);
	}
}

static bool
are_runs(const struct npyio_compare_plan *p, bool or_mapped)
{
	for (int k = 0; k < 2; k++)
		if (p->pattern[k] != TSL_PATTERN_RUN &&
		    !(or_mapped && p->mapped[k]))
			return false;
	return true;
}

/* Boxes are runs, or with room for what a transposed one spans. */
static void
share_room(struct npyio_compare_plan *p, struct tsl_cut_limits *limits)
{
	int64_t most = are_runs(p, false)  ? CHUNK
		       : are_runs(p, true) ? MAX_MAPPED_BOX
					   : MAX_BOX;
	int64_t room = npyio_room_left(&p->inputs);

	p->nworkers = count_workers(p, tsl_min(4 * most, 2 * MAX_BOX));
	if (limits->in_order)
		p->nworkers = 1;
	room /= p->nworkers;
	limits->out = tsl_min(most, room / 5);
	limits->in = most < MAX_BOX ? INT64_MAX : tsl_max(room / 5, MIN_BOX);
	p->room = tsl_min(limits->in, room / 2);
}

static void
cut_views(struct npyio_compare_plan *p)
{
	struct tsl_cut_limits limits = { .in_order = p->once };
	struct tsl_view v[3];
	int worst = make_views(p, v);

	map_inputs(p, v);
	share_room(p, &limits);
	limits.run = npyio_run_to_take(&v[worst], p->mapped[worst] != NULL);
	tsl_cut_init(&p->cut[worst], &v[worst], &limits);
	p->largest = p->width;
	for (int d = 0; d < v[0].ndim; d++)
		p->largest *= p->cut[worst].extent[d];
	/* In as many boxes; what the cut says in bytes is still of that one. */
	for (int k = 0; k < 3; k++) {
		p->cut[k] = p->cut[worst];
		p->cut[k].view = v[k];
	}
}

/* ---- the plan ------------------------------------------------------------ */

enum tsl_status
npyio_compare_plan_make(struct npyio_compare_plan *p,
			const struct npyio_comparison *c, struct tsl_error *err)
{
	const struct tsl_array *a = npyio_reader_array(c->in[0]);
	enum tsl_status status;
	bool forward;

	*p = (struct npyio_compare_plan){
		.c = c,
		.whole = { .no_input = true, .nbytes = tsl_array_nbytes(a) },
		.inputs = { .job = &p->whole,
			    .in = c->in,
			    .ninputs = 2,
			    .threads = c->threads,
			    .max_memory = c->max_memory,
			    .max_mapped = c->max_mapped },
		.width = a->dtype.size,
	};
	status = npyio_verify_crc(&p->inputs, err);
	if (status || p->whole.nbytes == 0)
		return status;
	npyio_read_ahead(&p->inputs);
	choose_order(p);
	status = keep_streams(p, &forward, err);
	if (status)
		return status;
	p->once = forward || p->at_once;
	cut_views(p);
	return TSL_OK;
}

void
npyio_compare_plan_close(struct npyio_compare_plan *p)
{
	for (int k = 0; k < 2; k++)
		npyio_window_close_by(&p->window[k], p->nworkers);
}
