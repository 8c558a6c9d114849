/*
 * concat_maps.c - the inputs of a concatenation that stand in another order
 * than the output, mapped as a whole
 *
 * Neighbours in a box lie far apart in such an input, in each box anew: where
 * all of them may be mapped, that is done once.  If not, each piece is read.
 */
#include "concat_maps.h"

#include <stdlib.h>

/* More inputs than this are not held open together. */
#define MAX_MAPPED 64

/* Of what is around a field so much must be wanted for all to be mapped. */
#define MAPPED_PART 2

static const struct tsl_cat_part *
part_of(const struct npyio_concat_maps *m, int64_t i)
{
	return &((const struct tsl_cat_job *)(const void *)m->t->job)->part[i];
}

static bool
is_file(const struct npyio_concat_maps *m, const struct tsl_cat_part *part)
{
	int64_t offset;
	int fd;

	return npyio_reader_file(m->t->in[part->input], &fd, &offset);
}

/* Is there room for all of the files, and is each worth it? */
static bool
can_be_mapped(struct npyio_concat_maps *m, int64_t begin, int64_t end,
	      int64_t room)
{
	int64_t n = 0;

	for (int64_t i = begin; i < end; i++) {
		const struct tsl_cat_part *part = part_of(m, i);
		int64_t nbytes = tsl_array_extent(part->array);

		if (part->is_dense || !is_file(m, part))
			continue;
		if (++n > MAX_MAPPED || nbytes > room - m->nbytes ||
		    tsl_array_nbytes(part->array) < nbytes / MAPPED_PART)
			return false;
		m->nbytes += nbytes;
	}
	return true;
}

/* Stores NULL as the input's bytes where that cannot be had. */
static enum tsl_status
map(struct npyio_concat_maps *m, const struct tsl_cat_part *part,
    struct tsl_error *err)
{
	struct npyio_reader *in = m->t->in[part->input];
	struct npyio_concat_map *map = &m->map[part->input];
	enum tsl_status status;
	int64_t offset;
	int fd;

	if (map->bytes)
		return TSL_OK;
	status = npyio_reader_hold(in, err);
	if (status)
		return status;
	map->is_held = true;
	if (!npyio_reader_file(in, &fd, &offset)) {
		map->bytes = npyio_reader_memory(in);
		return TSL_OK;
	}
	npyio_window_init(&map->window, npyio_reader_name(in));
	map->bytes = npyio_window_look(&map->window, fd, offset,
				       offset + tsl_array_extent(part->array));
	return TSL_OK;
}

enum tsl_status
npyio_concat_maps_init(struct npyio_concat_maps *m,
		       const struct npyio_output *out, int64_t begin,
		       int64_t end, struct tsl_error *err)
{
	enum tsl_status status = TSL_OK;
	bool all = true;

	*m = (struct npyio_concat_maps){ .t = out->t };
	if (!can_be_mapped(m, begin, end, npyio_room_to_map(out->t, out->room)))
		return TSL_OK;
	m->map = calloc((size_t)out->t->ninputs, sizeof(*m->map));
	if (!m->map)
		return tsl_no_memory(err);
	for (int64_t i = begin; i < end && all && !status; i++) {
		const struct tsl_cat_part *part = part_of(m, i);

		if (part->is_dense)
			continue;
		status = map(m, part, err);
		all = m->map[part->input].bytes != NULL;
	}
	if (!all)
		npyio_concat_maps_close(m);
	return status;
}

void
npyio_concat_maps_close(struct npyio_concat_maps *m)
{
	for (int i = 0; m->map && i < m->t->ninputs; i++) {
		npyio_window_close_by(&m->map[i].window, m->t->threads);
		if (m->map[i].is_held)
			npyio_reader_release(m->t->in[i]);
	}
	free(m->map);
	m->map = NULL;
	m->nbytes = 0;
}

const char *
npyio_concat_mapped(const struct npyio_concat_maps *m, int input)
{
	return m && m->map ? m->map[input].bytes : NULL;
}
