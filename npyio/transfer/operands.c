/*
 * operands.c - inputs that are looked at here and there: indices, diagonals,
 * what is assigned
 *
 * They are looked at piece by piece.  In another order than theirs each piece
 * would be all over the file, and where bytes have to be turned round each
 * would be looked at twice.  So what is not as it is wanted is copied, once.
 */
#include "operands.h"

#include "lib/base/byte_order.h"
#include "lib/base/minmax.h"
#include "lib/op/scatter_nd.h"
#include "lib/op/slice.h"
#include "lib/view/walk.h"
#include "npyio/file/fd.h"
#include "npyio/file/spool.h"
#include "npyio/input/reader_remote.h"
#include "npyio/input/reader_replace.h"
#include "npyio/transfer/box/boxes.h"
#include "npyio/transfer/common/buffer.h"
#include "npyio/transfer/common/fetch.h"
#include "npyio/transfer/common/output.h"
#include "npyio/transfer/place/scatter.h"

#include <stdlib.h>
#include <string.h>

/* So much of a file is looked at to put it in order. */
#define MAX_SPAN ((int64_t)16 * 1024 * 1024)

/* Bytes that are turned round at once. */
#define CHUNK ((int64_t)1024 * 1024)

/* An input as it has to become. */
struct operand {
	const struct npyio_transfer *t;
	struct npyio_reader *in;
	struct tsl_job all; /* the slice of everything, in the order wanted */
	const struct tsl_dtype *dtype; /* that is wanted */
	bool turned; /* into its byte order */
};

static enum tsl_status
order_in_memory(const struct operand *s, struct tsl_error *err)
{
	const struct tsl_job *all = &s->all;
	char *memory = npyio_buffer_new((size_t)all->nbytes);
	int64_t stride[TSL_MAX_DIMS + 1];
	struct npyio_fetch fetch;
	enum tsl_status status;

	if (!memory)
		return tsl_fail(err, TSL_EMEMORY,
				"out of memory for %lld bytes in order",
				(long long)all->nbytes);
	npyio_fetch_init(&fetch, s->in,
			 tsl_min(MAX_SPAN, s->t->max_memory / 4));
	tsl_view_dense(&all->view, stride);
	status = npyio_fetch(&fetch, all->pattern, &all->view, stride, memory,
			     err);
	npyio_fetch_close(&fetch);
	if (!status && s->turned)
		status = tsl_byte_order_convert(memory,
						tsl_array_count(&all->in),
						&all->in.dtype, s->dtype, err);
	if (status)
		free(memory);
	else
		status = npyio_reader_replace(s->in, &s->all.out, memory, NULL,
					      err);
	return status;
}

/* Elements [first, first + n) of the spooled copy. */
static enum tsl_status
turn_chunk(const struct operand *s, int fd, int64_t at, int64_t n, char *buffer,
	   struct tsl_error *err)
{
	size_t nbytes = (size_t)(n * s->dtype->size);
	enum tsl_status status;
	size_t got;

	status = npyio_fd_pread(fd, buffer, nbytes, at, &got, err);
	if (!status)
		status = tsl_byte_order_convert(buffer, n, &s->all.in.dtype,
						s->dtype, err);
	return status ? status : npyio_fd_pwrite(fd, buffer, nbytes, at, err);
}

static enum tsl_status
turn_spooled(const struct operand *s, int fd, int64_t offset,
	     struct tsl_error *err)
{
	int64_t size = s->dtype->size;
	int64_t left = tsl_array_count(&s->all.in);
	int64_t most = tsl_max(CHUNK / tsl_max(size, 1), 1);
	char *buffer = malloc((size_t)tsl_max(most * size, 1));
	enum tsl_status status = TSL_OK;

	if (!buffer)
		return tsl_no_memory(err);
	while (left > 0 && !status) {
		int64_t n = tsl_min(left, most);

		status = turn_chunk(s, fd, offset, n, buffer, err);
		offset += n * size;
		left -= n;
	}
	free(buffer);
	return tsl_about_new(status, npyio_spool_directory(), err);
}

static enum tsl_status
write_spool(const struct operand *s, struct npyio_writer *spool,
	    struct tsl_error *err)
{
	struct npyio_reader *const inputs[] = { s->in };
	const struct npyio_transfer reorder = {
		.job = &s->all,
		.in = inputs,
		.ninputs = 1,
		.out = spool,
		.threads = s->t->threads,
		.max_memory = s->t->max_memory,
	};
	struct npyio_output out;
	enum tsl_status status = npyio_output_begin(&out, &reorder, err);

	out.room = npyio_room_left(&reorder);
	if (!status)
		status = npyio_output_reserve(&out, 0, s->all.nbytes, err);
	if (!status)
		status = npyio_write_boxes(&out, err);
	if (!status && s->turned)
		status = turn_spooled(s, npyio_writer_descriptor(spool),
				      (int64_t)out.header.len, err);
	npyio_output_end(&out);
	return status;
}

static enum tsl_status
order_in_spool(const struct operand *s, struct tsl_error *err)
{
	struct npyio_reader *spooled = NULL;
	struct npyio_writer *spool;
	enum tsl_status status = npyio_writer_open_spool(&spool, err);

	if (status)
		return status;
	status = write_spool(s, spool, err);
	if (!status)
		status = npyio_reader_open_spool(
			&spooled, npyio_writer_descriptor(spool), err);
	if (!status)
		status = npyio_reader_replace(s->in, &s->all.out, NULL, spooled,
					      err);
	npyio_writer_abort(spool);
	return status;
}

/* Settles what s->all is to become; false where the input is that already. */
static bool
settle(struct operand *s, const struct tsl_dtype *dtype)
{
	const struct tsl_array *array = npyio_reader_array(s->in);

	s->dtype = dtype ? dtype : &array->dtype;
	s->turned = strcmp(s->dtype->descr, array->dtype.descr) != 0;
	s->all.out.dtype = *s->dtype;
	return s->turned || array->field || s->all.pattern != TSL_PATTERN_RUN;
}

static enum tsl_status
keep_all(const struct operand *s, struct tsl_error *err)
{
	enum tsl_status status = npyio_reader_buffer(
		s->in, tsl_array_extent(npyio_reader_array(s->in)),
		npyio_room_to_keep(s->t), err);

	return status ? status : npyio_reader_download_all(s->in, err);
}

static enum tsl_status
put_in_order(const struct operand *s, struct tsl_error *err)
{
	return s->all.nbytes <= npyio_room_to_keep(s->t)
		       ? order_in_memory(s, err)
		       : order_in_spool(s, err);
}

/* Where a job orders all of it, in its own dtype or another one. */
static enum tsl_status
keep_as(struct operand *s, const struct tsl_dtype *dtype, struct tsl_error *err)
{
	enum tsl_status status = keep_all(s, err);

	if (status || tsl_array_nbytes(npyio_reader_array(s->in)) == 0 ||
	    !settle(s, dtype))
		return status;
	return put_in_order(s, err);
}

/* The input that the job goes through, of which it wants the field alone. */
static enum tsl_status
keep_field(const struct npyio_transfer *t, struct tsl_error *err)
{
	struct operand s = { .t = t, .in = t->in[0] };
	const struct tsl_array *array = npyio_reader_array(s.in);
	enum tsl_status status = keep_all(&s, err);

	if (status || tsl_array_nbytes(array) == 0)
		return status;
	tsl_slice_all_init(&s.all, array,
			   t->job->in.fortran_order ? TSL_ORDER_F
						    : TSL_ORDER_C);
	s.dtype = &array->dtype;
	return put_in_order(&s, err);
}

static bool
wants_field(const struct npyio_transfer *t)
{
	return !t->job->no_input && t->job->op->dense_input &&
	       !t->job->in.field && npyio_reader_array(t->in[0])->field;
}

enum tsl_status
npyio_keep_in_c_order(const struct npyio_transfer *t, int i,
		      struct tsl_error *err)
{
	struct operand s = { .t = t, .in = t->in[i] };

	tsl_slice_all_init(&s.all, npyio_reader_array(s.in), TSL_ORDER_C);
	return keep_as(&s, NULL, err);
}

/* The order that operand i is wanted in; whether no other job wants it so. */
static bool
order_operand(const struct npyio_transfer *t, int i, struct tsl_job *all)
{
	const struct tsl_job *job = t->job;
	const struct tsl_array *array = npyio_reader_array(t->in[i]);
	bool fortran = job->op->ordered_inputs && job->out.fortran_order;
	struct tsl_gather_job places = { .by_run = false };

	if (job->op->road == TSL_ROAD_SCATTER && job->source == i)
		npyio_scatter_places(t, &places);
	if (places.by_run)
		tsl_scatter_order_by_run(all, &places, array);
	else
		tsl_slice_all_init(all, array,
				   fortran ? TSL_ORDER_F : TSL_ORDER_C);
	return places.by_run;
}

static enum tsl_status
keep_operand(const struct npyio_transfer *t, int i, struct tsl_error *err)
{
	const struct tsl_job *job = t->job;
	const struct tsl_array target = tsl_job_target(job);
	struct operand s = { .t = t, .in = t->in[i] };
	enum tsl_status status;
	bool is_laid;

	/* Whoever counted a mask has seen to it, too. */
	if (job->mask && job->mask_input == i)
		return TSL_OK;
	is_laid = order_operand(t, i, &s.all);
	status = keep_as(&s, job->source == i ? &target.dtype : NULL, err);
	if (!status && is_laid)
		npyio_reader_lay(s.in);
	return status;
}

enum tsl_status
npyio_keep_operands(const struct npyio_transfer *t, struct tsl_error *err)
{
	enum tsl_status status = wants_field(t) ? keep_field(t, err) : TSL_OK;

	for (int i = t->job->no_input ? 0 : 1; i < t->ninputs && !status; i++)
		status = keep_operand(t, i, err);
	return status;
}
