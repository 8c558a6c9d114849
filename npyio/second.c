/*
 * second.c - indices and diagonals: where they can be looked at here and there
 */
#include "fetch.h"
#include "lib/minmax.h"
#include "lib/op_slice.h"
#include "lib/walk.h"
#include "memory.h"
#include "pieces.h"

#include <stdlib.h>

int64_t
npyio_room_to_keep(const struct npyio_transfer *t)
{
	return t->max_memory / 4;
}

/* So much of a file is looked at to put it in order. */
#define MAX_SPAN ((int64_t)16 * 1024 * 1024)

static enum tsl_status
order_in_memory(const struct npyio_transfer *t, const struct tsl_job *all,
		struct tsl_error *err)
{
	char *memory = npyio_buffer_new((size_t)all->nbytes);
	int64_t stride[TSL_MAX_DIMS + 1];
	struct npyio_fetch fetch;
	enum tsl_status status;

	if (!memory)
		return tsl_fail(err, TSL_EMEMORY,
				"out of memory for %lld bytes in C order",
				(long long)all->nbytes);
	npyio_fetch_init(&fetch, t->second,
			 tsl_min(MAX_SPAN, t->max_memory / 4));
	tsl_view_dense(&all->view, stride);
	status = npyio_fetch(&fetch, all->pattern, &all->view, stride, memory,
			     err);
	npyio_fetch_close(&fetch);
	if (status)
		free(memory);
	else
		npyio_reader_replace(t->second, memory, NULL);
	return status;
}

static enum tsl_status
order_in_spool(const struct npyio_transfer *t, const struct tsl_job *all,
	       struct tsl_error *err)
{
	const struct npyio_transfer reorder = {
		.job = all,
		.in = t->second,
		.threads = t->threads,
		.max_memory = t->max_memory,
	};
	struct npyio_transfer to_spool = reorder;
	struct npyio_reader *spooled = NULL;
	enum tsl_status status = npyio_writer_open_spool(&to_spool.out, err);

	if (status)
		return status;
	status = npyio_transfer(&to_spool, err);
	if (!status)
		status = npyio_reader_open_spool(
			&spooled, npyio_writer_descriptor(to_spool.out), err);
	if (!status)
		npyio_reader_replace(t->second, NULL, spooled);
	npyio_writer_abort(to_spool.out);
	return status;
}

/*
 * They are looked at in C order, piece by piece: in Fortran order each piece
 * would be all over the file.
 */
static enum tsl_status
put_in_order(const struct npyio_transfer *t, struct tsl_error *err)
{
	const struct tsl_array *array = npyio_reader_array(t->second);
	struct tsl_job all;

	if (!array->fortran_order || tsl_array_nbytes(array) == 0)
		return TSL_OK;
	tsl_slice_all_init(&all, array, TSL_ORDER_C);
	return all.nbytes <= npyio_room_to_keep(t)
		       ? order_in_memory(t, &all, err)
		       : order_in_spool(t, &all, err);
}

enum tsl_status
npyio_keep_second(const struct npyio_transfer *t, struct tsl_error *err)
{
	enum tsl_status status;

	if (!t->second)
		return TSL_OK;
	status = npyio_reader_keep(
		t->second, tsl_array_nbytes(npyio_reader_array(t->second)),
		npyio_room_to_keep(t), err);
	return status ? status : put_in_order(t, err);
}
