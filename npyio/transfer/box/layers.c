/*
 * layers.c - what goes over the base of a job's output
 */
#include "layers.h"

#include "lib/base/minmax.h"

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
	if (l->seen) {
		tsl_pair_copy(box, l->seen, l->lo, dst, lo);
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

/* ---- the boxes of a piece ------------------------------------------------ */

/* What is done with each box of the layers in a piece of the output. */
typedef enum tsl_status do_box(struct npyio_layers *l, int input,
			       const struct tsl_pair *box, void *arg,
			       struct tsl_error *err);

static enum tsl_status
walk_layer(struct npyio_layers *l, int64_t i, int64_t first, int64_t n,
	   do_box *act, void *arg, struct tsl_error *err)
{
	const struct tsl_job *job = l->t->job;
	struct tsl_pair layer, box;
	int input = job->op->layer(job, i, &layer);
	int64_t at = tsl_pair_before(&layer, first);
	int64_t end = tsl_pair_before(&layer, first + n);
	enum tsl_status status = TSL_OK;

	while (at < end && !status) {
		at += tsl_pair_head(&layer, at, end - at, &box);
		status = act(l, input, &box, arg, err);
	}
	return status;
}

/* Of thousands of layers a box may see a few. */
static int64_t
next_layer(const struct tsl_job *job, int64_t i, int64_t first, int64_t n)
{
	return job->op->next_layer ? job->op->next_layer(job, i, first, n) : i;
}

static enum tsl_status
walk(struct npyio_layers *l, int64_t first, int64_t n, do_box *act, void *arg,
     struct tsl_error *err)
{
	const struct tsl_job *job = l->t->job;
	int64_t i = next_layer(job, 0, first, n);
	enum tsl_status status = TSL_OK;

	while (i < job->nlayers && !status) {
		status = walk_layer(l, i, first, n, act, arg, err);
		i = next_layer(job, i + 1, first, n);
	}
	return status;
}

/* ---- all at once --------------------------------------------------------- */

/* Of what a piece spans of the input at least so much must be wanted: if it is
   mapped something of most pages. */
#define WANTED_PART 4
#define WANTED_PART_MAPPED 64

struct needs {
	int input; /* TSL_FILL: nothing so far */
	int64_t lo, hi, wanted; /* bytes of it */
};

/* Any status ends it: more is spanned than may be held, or of two inputs. */
static enum tsl_status
add_needs(struct npyio_layers *l, int input, const struct tsl_pair *box,
	  void *arg, struct tsl_error *err)
{
	struct needs *needs = arg;
	int64_t lo, hi;

	(void)err;
	if (input == TSL_FILL)
		return TSL_OK;
	tsl_view_span(&box->from, &lo, &hi);
	if (needs->input == TSL_FILL)
		*needs = (struct needs){ input, lo, hi, 0 };
	needs->lo = tsl_min(needs->lo, lo);
	needs->hi = tsl_max(needs->hi, hi);
	needs->wanted += tsl_view_count(&box->from) * box->from.width;
	return needs->input == input && needs->hi - needs->lo <= l->room
		       ? TSL_OK
		       : TSL_EMEMORY;
}

/*
 * A wide band has a layer for each row of its matrices, and a piece of the
 * output something of each: what they are all among is looked at once, where
 * there is room and much of it is wanted.
 */
static enum tsl_status
look_at_all(struct npyio_layers *l, int64_t first, int64_t n, bool *fits,
	    struct tsl_error *err)
{
	struct needs needs = { .input = TSL_FILL };

	int64_t wanted;

	l->seen = NULL;
	*fits = l->t->job->nlayers <= 1 ||
		walk(l, first, n, add_needs, &needs, NULL) == TSL_OK;
	if (!*fits || needs.wanted == 0)
		return TSL_OK;
	fetch_from(l, needs.input);
	wanted = l->fetch.window.name ? WANTED_PART_MAPPED : WANTED_PART;
	if (needs.wanted < (needs.hi - needs.lo) / wanted)
		return TSL_OK;
	l->lo = needs.lo;
	return npyio_fetch_look(&l->fetch, needs.lo, needs.hi, true, &l->seen,
				err);
}

/* ---- painting ------------------------------------------------------------ */

struct piece {
	char *bytes; /* the output, from this byte on */
	int64_t first;
};

static enum tsl_status
paint_box(struct npyio_layers *l, int input, const struct tsl_pair *box,
	  void *arg, struct tsl_error *err)
{
	const struct piece *p = arg;

	return npyio_layers_copy(l, input, box, p->bytes, p->first, err);
}

/* Up to where the blocks go that are whole by the middle; 0: it is in one. */
static int64_t
first_blocks(const struct tsl_job *job, int64_t first, int64_t n)
{
	int64_t block = job->block_nbytes;
	int64_t end;

	if (block == 0 || first / block == (first + n - 1) / block)
		return 0;
	end = (first + n / 2) / block * block;
	return end > first ? end - first : end + block - first;
}

/*
 * Of small matrices whose elements lie far apart a single one may span too
 * much: then the elements that all of a piece have in one place are taken
 * together.
 */
static bool
fits_alone(struct npyio_layers *l, int64_t first)
{
	struct needs needs = { .input = TSL_FILL };
	int64_t block = l->t->job->block_nbytes;

	return walk(l, first / block * block, block, add_needs, &needs, NULL) ==
	       TSL_OK;
}

enum tsl_status
npyio_layers_paint(struct npyio_layers *l, int64_t first, int64_t n,
		   char *bytes, struct tsl_error *err)
{
	struct piece piece = { bytes, first };
	int64_t part = first_blocks(l->t->job, first, n);
	enum tsl_status status;
	bool fits;

	status = look_at_all(l, first, n, &fits, err);
	if (!status && !fits && part > 0 && fits_alone(l, first)) {
		status = npyio_layers_paint(l, first, part, bytes, err);
		return status ? status
			      : npyio_layers_paint(l, first + part, n - part,
						   bytes + part, err);
	}
	if (!status)
		status = walk(l, first, n, paint_box, &piece, err);
	l->seen = NULL;
	return status;
}
