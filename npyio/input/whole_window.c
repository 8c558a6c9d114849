/*
 * whole_window.c - all the data of an array, if they are in memory
 */
#include "whole_window.h"

const char *
npyio_window_look_whole(struct npyio_window *w, const struct npyio_reader *in)
{
	int64_t nbytes = tsl_array_extent(npyio_reader_array(in));
	const char *bytes;
	int64_t offset;
	int fd;

	if (!npyio_reader_file(in, &fd, &offset))
		return npyio_reader_memory(in);
	npyio_window_init(w, npyio_reader_name(in));
	bytes = npyio_window_look(w, fd, offset, offset + nbytes);
	if (bytes && npyio_window_is_at_hand(w, fd))
		return bytes;
	npyio_window_close(w);
	return NULL;
}
