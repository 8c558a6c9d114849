/*
 * layers.c - what goes over the base of a job's output
 */
#include "layers.h"

void
npyio_layers_init(struct npyio_layers *l, const struct npyio_transfer *t,
		  int64_t room)
{
	*l = (struct npyio_layers){ .t = t, .room = room, .input = TSL_FILL };
}

void
npyio_layers_close(struct npyio_layers *l)
{
	npyio_fetch_close(&l->fetch);
	l->input = TSL_FILL;
}

static void
fetch_from(struct npyio_layers *l, int input)
{
	if (l->input == input)
		return;
	npyio_layers_close(l);
	npyio_fetch_init(&l->fetch, l->t->in[input], l->room);
	l->input = input;
}

static bool
spans_too_much(const struct npyio_layers *l, const struct tsl_pair *box)
{
	int64_t lo, hi;

	tsl_view_span(&box->from, &lo, &hi);
	return hi - lo > l->room && tsl_view_count(&box->from) > 1;
}

/* What the box spans of the input is looked at, and spread from there. */
static enum tsl_status
look_and_spread(struct npyio_layers *l, const struct tsl_pair *box, char *dst,
		int64_t dst_lo, struct tsl_error *err)
{
	struct tsl_pair half[2];
	enum tsl_status status;
	const char *bytes;
	int64_t lo, hi;

	if (spans_too_much(l, box)) {
		tsl_pair_halve(box, &box->from, half);
		status = look_and_spread(l, &half[0], dst, dst_lo, err);
		return status ? status
			      : look_and_spread(l, &half[1], dst, dst_lo, err);
	}
	tsl_view_span(&box->from, &lo, &hi);
	status = npyio_fetch_look(&l->fetch, lo, hi, true, &bytes, err);
	if (!status)
		tsl_pair_copy(box, bytes, lo, dst, dst_lo);
	return status;
}

enum tsl_status
npyio_layers_copy(struct npyio_layers *l, int input, const struct tsl_pair *box,
		  char *dst, int64_t lo, struct tsl_error *err)
{
	if (input == TSL_FILL) {
		tsl_pair_copy(box, l->t->job->fill, 0, dst, lo);
		return TSL_OK;
	}
	fetch_from(l, input);
	/* A fetch knows better how to get at elements that lie far apart. */
	if (tsl_pair_is_dense(box))
		return npyio_fetch(&l->fetch, TSL_PATTERN_SPARSE, &box->from,
				   box->to.stride, dst + (box->to.offset - lo),
				   err);
	return look_and_spread(l, box, dst, lo, err);
}

static enum tsl_status
paint_layer(struct npyio_layers *l, int64_t i, int64_t first, int64_t n,
	    char *bytes, struct tsl_error *err)
{
	const struct tsl_job *job = l->t->job;
	struct tsl_pair layer, box;
	int input = job->op->layer(job, i, &layer);
	int64_t at = tsl_pair_before(&layer, first);
	int64_t end = tsl_pair_before(&layer, first + n);
	enum tsl_status status = TSL_OK;

	while (at < end && !status) {
		at += tsl_pair_head(&layer, at, end - at, &box);
		status = npyio_layers_copy(l, input, &box, bytes, first, err);
	}
	return status;
}

/* Of thousands of layers a box may see a few. */
static int64_t
next_layer(const struct tsl_job *job, int64_t i, int64_t first, int64_t n)
{
	return job->op->next_layer ? job->op->next_layer(job, i, first, n) : i;
}

enum tsl_status
npyio_layers_paint(struct npyio_layers *l, int64_t first, int64_t n,
		   char *bytes, struct tsl_error *err)
{
	const struct tsl_job *job = l->t->job;
	int64_t i = next_layer(job, 0, first, n);
	enum tsl_status status = TSL_OK;

	while (i < job->nlayers && !status) {
		status = paint_layer(l, i, first, n, bytes, err);
		i = next_layer(job, i + 1, first, n);
	}
	return status;
}
