/*
 * elements.c - all the elements of an input, in an order of one's own choice
 */
#include "elements.h"

#include "lib/resolve.h"

enum tsl_status
npyio_elements_init(struct npyio_elements *e, struct npyio_reader *in,
		    enum tsl_order order, struct tsl_error *err)
{
	const struct tsl_array *array = npyio_reader_array(in);
	struct tsl_shape shape = tsl_shape_of(array);
	struct tsl_selection sel;

	tsl_select_all(&sel, &shape);
	tsl_slice_job_init(&e->slice, array, &sel, order);
	e->transfer = (struct npyio_transfer){
		.job = &e->slice.job,
		.in = in,
	};
	return npyio_transfer_prepare(&e->transfer, err);
}

enum tsl_status
npyio_elements_get(const struct npyio_elements *e, int64_t first, int64_t n,
		   char *dst, struct tsl_error *err)
{
	return npyio_transfer_range(&e->transfer, first, n, dst, err);
}
