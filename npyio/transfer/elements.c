/*
 * elements.c - all the elements of an input, in C order
 */
#include "elements.h"

#include "lib/op/slice.h"
#include "lib/view/walk.h"

void
npyio_elements_init(struct npyio_elements *e, struct npyio_reader *in,
		    int64_t room)
{
	tsl_slice_all_init(&e->all, npyio_reader_array(in), TSL_ORDER_C);
	npyio_fetch_init(&e->fetch, in, room);
}

void
npyio_elements_close(struct npyio_elements *e)
{
	npyio_fetch_close(&e->fetch);
}

enum tsl_status
npyio_elements_get(struct npyio_elements *e, int64_t first, int64_t n,
		   char *dst, struct tsl_error *err)
{
	/* Those of an odd width are several to the view: single bytes. */
	const struct tsl_view *v = &e->all.view;
	int64_t size = e->all.in.dtype.size;
	int64_t per_element = size / v->width;
	enum tsl_status status = TSL_OK;

	first *= per_element;
	n *= per_element;
	while (n > 0 && !status) {
		int64_t stride[TSL_MAX_DIMS + 1];
		struct tsl_view box;
		int64_t done = tsl_view_head(v, first, n, &box);

		tsl_view_dense(&box, stride);
		status = npyio_fetch(&e->fetch, e->all.pattern, &box, stride,
				     dst, err);
		dst += done * v->width;
		first += done;
		n -= done;
	}
	return status;
}
