/*
 * grid.c - the boxes of a view, or of what of it is in a share
 */
#include "grid.h"

#include "lib/base/minmax.h"
#include "lib/base/search.h"
#include "lib/view/range.h"

#include <stdlib.h>

static struct npyio_grid_part *
add_part(struct npyio_grid *g)
{
	size_t n = (size_t)g->nparts;
	struct npyio_grid_part *part =
		realloc(g->part, (n + 1) * sizeof(*part));

	if (!part)
		return NULL;
	g->part = part;
	return &part[g->nparts++];
}

/* Output bytes [lo, hi), whole elements. */
static enum tsl_status
add_range(struct npyio_grid *g, const struct tsl_view *view, int64_t lo,
	  int64_t hi, const struct tsl_cut_limits *limits,
	  struct tsl_error *err)
{
	struct tsl_range range = { view, lo / view->width, hi / view->width };
	struct tsl_view box;
	int64_t at;

	while (tsl_range_next(&range, &box, &at)) {
		struct npyio_grid_part *part = add_part(g);

		if (!part)
			return tsl_no_memory(err);
		tsl_cut_init(&part->cut, &box, limits);
		part->at = at * view->width;
		part->box = g->count;
		g->count += part->cut.count;
		g->largest = tsl_max(g->largest, tsl_cut_nbytes(&part->cut));
	}
	return TSL_OK;
}

enum tsl_status
npyio_grid_init(struct npyio_grid *g, const struct tsl_view *view,
		const struct npyio_share *share, int64_t size,
		const struct tsl_cut_limits *limits, struct tsl_error *err)
{
	int64_t nbytes = tsl_view_count(view) * view->width;
	int64_t n = npyio_share_ranges(share);
	enum tsl_status status = TSL_OK;

	*g = (struct npyio_grid){ .nparts = 0 };
	for (int64_t i = 0; i < n && !status; i++) {
		int64_t lo, hi;

		npyio_share_range(share, i, &lo, &hi);
		if (lo == hi)
			continue;
		lo = lo / size * size;
		hi = tsl_min((hi - 1) / size * size + size, nbytes);
		status = add_range(g, view, lo, hi, limits, err);
	}
	return status;
}

void
npyio_grid_close(struct npyio_grid *g)
{
	free(g->part);
	g->part = NULL;
}

void
npyio_grid_box(const struct npyio_grid *g, int64_t i, struct tsl_box *box)
{
	int64_t n = tsl_count_below(&g->part->box, sizeof(*g->part), g->nparts,
				    i + 1);
	const struct npyio_grid_part *part = &g->part[n - 1];

	tsl_cut_box(&part->cut, i - part->box, box);
	/* A multiple of the row's length: the box is aligned as before. */
	box->row += part->at;
}
