/*
 * grid.h - the boxes of a view, or of what of it is in a share
 */
#ifndef NPYIO_GRID_H
#define NPYIO_GRID_H

#include "lib/view/cut.h"
#include "npyio/file/share.h"

/* Boxes of one range of the output. */
struct npyio_grid_part {
	struct tsl_cut cut;
	int64_t at; /* of the output, its first byte */
	int64_t box; /* the number of its first box */
};

struct npyio_grid {
	int64_t count; /* of boxes */
	int64_t largest; /* bytes of memory that a box takes */
	int nparts;
	struct npyio_grid_part *part;
};

/*
 * npyio_grid_init() cuts what of a view that is not empty is in 'share', as
 * tsl_cut_init() does.  No element is divided: 'size' is an element's, in
 * bytes.  Returns TSL_OK; TSL_EMEMORY.  To be closed on failure too.
 */
enum tsl_status TSL_MUST_USE
npyio_grid_init(struct npyio_grid *g, const struct tsl_view *view,
		const struct npyio_share *share, int64_t size,
		const struct tsl_cut_limits *limits, struct tsl_error *err);
void npyio_grid_close(struct npyio_grid *g);

/* npyio_grid_box() makes box i, as tsl_cut_box() does. */
void npyio_grid_box(const struct npyio_grid *g, int64_t i, struct tsl_box *box);

#endif /* NPYIO_GRID_H */
