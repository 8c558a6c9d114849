/*
 * canvas.h - a file in which single places are written, and nothing else
 *
 * Between two places that are written lies what others may be writing at the
 * same time: no byte of it is written, not even with the value that it has.
 * Long runs are put by system calls, places close together through a mapping.
 *
 * Offsets are in BYTES from the first byte of the array's data.
 */
#ifndef NPYIO_CANVAS_H
#define NPYIO_CANVAS_H

#include "reader.h"
#include "share.h"
#include "window.h"

#include <stdatomic.h>

struct npyio_canvas {
	const char *name;
	int fd; /* open for reading, too: a mapping needs that */
	int64_t offset; /* in the file, of the data */
	atomic_bool *touched; /* set before the first byte; NULL is allowed */
	const struct npyio_share *share; /* what may be written; NULL: all */
};

/*
 * npyio_canvas_open() opens the file that 'in' reads, which must be a regular
 * file under the name 'path', to be written in place; 'touched', which is
 * false and outlives the canvas, or NULL, becomes true when it is written to.
 *
 * Returns TSL_OK; TSL_EIO with the path as the error's subject.
 */
enum tsl_status TSL_MUST_USE npyio_canvas_open(struct npyio_canvas *canvas,
					       const char *path,
					       const struct npyio_reader *in,
					       atomic_bool *touched,
					       struct tsl_error *err);

/*
 * npyio_canvas_close() closes it; 'sync': what was written is on the disk
 * before.  What an earlier write could not be told about may show only now.
 */
enum tsl_status TSL_MUST_USE npyio_canvas_close(struct npyio_canvas *canvas,
						bool sync,
						struct tsl_error *err);

/* npyio_canvas_is_ours() says whether any of bytes [lo, hi) may be written. */
bool npyio_canvas_is_ours(const struct npyio_canvas *canvas, int64_t lo,
			  int64_t hi);

/* A brush is one thread's way to a canvas, which must outlive it. */
struct npyio_brush {
	const struct npyio_canvas *canvas;
	struct npyio_window window;
};

void npyio_brush_init(struct npyio_brush *b, const struct npyio_canvas *canvas);
void npyio_brush_close(struct npyio_brush *b);

/* npyio_brush_put() writes n bytes at 'offset', but none that may not be. */
enum tsl_status TSL_MUST_USE npyio_brush_put(const struct npyio_brush *b,
					     const char *bytes, int64_t n,
					     int64_t offset,
					     struct tsl_error *err);

/*
 * npyio_brush_look() maps bytes [lo, hi) and returns them, to be written to in
 * about 'n' places, until the next look; NULL where that cannot be had, or not
 * all of them may be written.
 */
char *npyio_brush_look(struct npyio_brush *b, int64_t lo, int64_t hi,
		       int64_t n);

#endif /* NPYIO_CANVAS_H */
