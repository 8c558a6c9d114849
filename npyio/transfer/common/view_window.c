/*
 * view_window.c - all that a view of an input spans, mapped at once
 */
#include "view_window.h"

#include "fetch.h"
#include "lib/base/minmax.h"

/*
 * Of what a view spans so much must be wanted for all of it to be mapped; and
 * so much where it has to come from a disk, with what lies between.
 */
#define MAPPED_PART 8
#define MAPPED_PART_COLD 2

/*
 * If it is mapped a box takes a few cache lines from one place, as many
 * elements as a tile is high; more would only make the runs that are written
 * shorter.  Else what repays a system call, a page, of which no part should be
 * wanted another time.
 */
#define TILE_HEIGHT 64
#define MIN_MAPPED_RUN 128
#define MAX_MAPPED_RUN 256
#define READ_RUN 4096

const char *
npyio_window_look_view(struct npyio_window *w, const struct npyio_reader *in,
		       const struct tsl_view *v, int64_t most, int64_t *lo)
{
	int64_t wanted = tsl_view_count(v) * v->width;
	int64_t offset, hi;
	const char *bytes;
	int fd;

	*lo = 0;
	if (!npyio_reader_file(in, &fd, &offset))
		return npyio_reader_memory(in);
	tsl_view_span(v, lo, &hi);
	if (hi - *lo < NPYIO_MIN_MAPPED_ROOM || hi - *lo > most ||
	    wanted < (hi - *lo) / MAPPED_PART)
		return NULL;
	npyio_window_init(w, npyio_reader_name(in));
	bytes = npyio_window_look(w, fd, offset + *lo, offset + hi);
	if (bytes && (wanted >= (hi - *lo) / MAPPED_PART_COLD ||
		      npyio_window_is_at_hand(w, fd)))
		return bytes;
	npyio_window_close(w);
	return NULL;
}

int64_t
npyio_run_to_take(const struct tsl_view *v, bool is_mapped)
{
	int64_t nbytes = TILE_HEIGHT * v->width;

	if (!is_mapped)
		return READ_RUN;
	return tsl_max(tsl_min(nbytes, MAX_MAPPED_RUN), MIN_MAPPED_RUN);
}
