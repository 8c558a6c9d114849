/*
 * view_window.h - all that a view of an input spans, mapped at once
 */
#ifndef NPYIO_VIEW_WINDOW_H
#define NPYIO_VIEW_WINDOW_H

#include "lib/view/view.h"
#include "npyio/file/window.h"
#include "npyio/input/reader.h"

/*
 * npyio_window_look_view() is for boxes of a view whose neighbours lie far
 * apart in 'in', in each box anew: where what it spans, of at most 'most'
 * bytes, may be mapped, that is done once.  It is the input from byte *lo on,
 * until 'w', which was zeroed, is closed; or, if 'in' is kept in memory, that;
 * or NULL, and each piece is better read.
 */
const char *npyio_window_look_view(struct npyio_window *w,
				   const struct npyio_reader *in,
				   const struct tsl_view *v, int64_t most,
				   int64_t *lo);

/*
 * npyio_run_to_take() is how many bytes such a box takes from one place of the
 * input at least, if it is mapped or not.
 */
int64_t npyio_run_to_take(const struct tsl_view *v, bool is_mapped);

#endif /* NPYIO_VIEW_WINDOW_H */
