/*
 * whole_window.h - all the data of an array, if they are in memory
 */
#ifndef NPYIO_WHOLE_WINDOW_H
#define NPYIO_WHOLE_WINDOW_H

#include "npyio/file/window.h"
#include "reader.h"

/*
 * npyio_window_look_whole() is all the data of 'in', which can be read by
 * position, until 'w', which was zeroed, is closed: where they are kept, or
 * mapped, if they are in memory, as far as a sample shows; or else NULL.
 */
const char *npyio_window_look_whole(struct npyio_window *w,
				    const struct npyio_reader *in);

#endif /* NPYIO_WHOLE_WINDOW_H */
