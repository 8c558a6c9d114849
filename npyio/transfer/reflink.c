/*
 * reflink.c - an output of which blocks are the input's
 */
#include "reflink.h"

#include "lib/base/minmax.h"
#include "lib/view/walk.h"
#include "npyio/file/kernel_copy.h"
#include "npyio/transfer/concat/concat.h"

#include <stdlib.h>

/* What is not shared is mostly less than a block. */
#define STEP ((int64_t)64 * 1024)

struct sharing {
	const struct npyio_output *out;
	char *buffer; /* room for the header and a step */
	int64_t shared; /* bytes, so far */
};

static enum tsl_status
begin(struct sharing *s, const struct npyio_output *out, struct tsl_error *err)
{
	*s = (struct sharing){ .out = out };
	s->buffer = malloc(out->header.len + (size_t)STEP);
	return s->buffer ? TSL_OK : tsl_no_memory(err);
}

bool
npyio_is_painted(const struct tsl_job *job)
{
	return job->nlayers > 0 || job->op->patch ||
	       job->op->road == TSL_ROAD_SCATTER;
}

/* ---- one run ------------------------------------------------------------- */

/* The header goes out in front of byte 0, if there is no other byte to copy. */
static enum tsl_status
copy(const struct sharing *s, const struct npyio_reader *in, int64_t lo,
     int64_t first, int64_t n, struct tsl_error *err)
{
	char *bytes = s->buffer + s->out->header.len;
	enum tsl_status status;

	do {
		int64_t some = tsl_min(n, STEP);

		status = npyio_reader_read(in, lo, some, bytes, err);
		if (!status)
			status = npyio_put(s->out, bytes, first, some, err);
		lo += some;
		first += some;
		n -= some;
	} while (n > 0 && !status);
	return status;
}

/* A run of bytes of an input, and where it belongs in the output. */
struct run {
	const struct npyio_reader *in;
	int64_t lo, first, n;
	int64_t before, shared; /* of them */
};

/* Returns whether any could be. */
static bool
share_blocks(const struct sharing *s, struct run *r)
{
	int64_t header = (int64_t)s->out->header.len;
	int64_t offset;
	int fd;

	r->shared = npyio_reader_file(r->in, &fd, &offset)
			    ? npyio_writer_reflink(
				      s->out->t->out, fd, offset + r->lo, r->n,
				      header + r->first, &r->before)
			    : 0;
	return r->shared > 0;
}

static enum tsl_status
write_ends(struct sharing *s, const struct run *r, struct tsl_error *err)
{
	int64_t done = r->before + r->shared;
	enum tsl_status status =
		copy(s, r->in, r->lo, r->first, r->before, err);

	s->shared += r->shared;
	/* Of a base, what is painted over it is the work. */
	if (s->out->t->progress && !npyio_is_painted(s->out->t->job))
		s->out->t->progress(r->shared);
	if (status || done == r->n)
		return status;
	return copy(s, r->in, r->lo + done, r->first + done, r->n - done, err);
}

/* ---- the rows of a view -------------------------------------------------- */

static bool
is_long_rows(const struct tsl_job *job)
{
	const struct tsl_view *v = &job->view;

	return (job->pattern == TSL_PATTERN_RUN ||
		job->pattern == TSL_PATTERN_ROWS) &&
	       !job->is_bare && !job->no_input && v->ndim > 0 &&
	       v->dim[v->ndim - 1] * v->width >= NPYIO_MIN_SHARED;
}

/* Whether all rows agree with their places modulo a block if one does. */
static bool
rows_agree(const struct tsl_view *v, int64_t block)
{
	int64_t dense[TSL_MAX_DIMS + 1];

	tsl_view_dense(v, dense);
	for (int i = 0; i < v->ndim - 1; i++)
		if (block <= 0 || (v->stride[i] - dense[i]) % block != 0)
			return false;
	return block > 0;
}

/* If not even the first row can be shared it is left, and so are the others. */
static enum tsl_status
share_row(struct sharing *s, const struct tsl_view *row, int64_t *first,
	  bool *is_refused, struct tsl_error *err)
{
	struct run r = { .in = s->out->t->in[0],
			 .lo = row->offset,
			 .first = *first,
			 .n = row->width * tsl_view_count(row) };

	*first += r.n;
	if (share_blocks(s, &r))
		return write_ends(s, &r, err);
	*is_refused = s->shared == 0;
	return *is_refused ? TSL_OK : copy(s, r.in, r.lo, r.first, r.n, err);
}

static enum tsl_status
share_rows(struct sharing *s, const struct tsl_view *v, int64_t *first,
	   bool *is_refused, struct tsl_error *err)
{
	struct tsl_view row = *v;
	enum tsl_status status = TSL_OK;

	if (v->ndim <= 1)
		return share_row(s, v, first, is_refused, err);
	/* Outermost dim first: a recursion as deep as there are dims. */
	row.ndim--;
	for (int i = 0; i < row.ndim; i++) {
		row.dim[i] = v->dim[i + 1];
		row.stride[i] = v->stride[i + 1];
	}
	for (int64_t i = 0; i < v->dim[0] && !status && !*is_refused; i++) {
		status = share_rows(s, &row, first, is_refused, err);
		row.offset += v->stride[0];
	}
	return status;
}

enum tsl_status
npyio_reflink_base(const struct npyio_output *out, int64_t *shared,
		   struct tsl_error *err)
{
	const struct npyio_transfer *t = out->t;
	bool is_refused = false;
	int64_t first = 0;
	struct sharing s;
	enum tsl_status status;

	*shared = 0;
	if (!is_long_rows(t->job) || npyio_reader_is_stream(t->in[0]) ||
	    !rows_agree(&t->job->view, npyio_writer_block(t->out)))
		return TSL_OK;
	status = begin(&s, out, err);
	if (!status)
		status =
			share_rows(&s, &t->job->view, &first, &is_refused, err);
	free(s.buffer);
	*shared = s.shared;
	return status;
}

bool
npyio_can_reflink(const struct tsl_job *job, const struct npyio_reader *in)
{
	int64_t block, offset, header;
	int fd;

	if (job->as || !is_long_rows(job) || npyio_reader_is_stream(in) ||
	    !npyio_reader_file(in, &fd, &offset) ||
	    npyio_header_length(&job->out, &header, NULL) != TSL_OK)
		return false;
	block = npyio_kernel_copy_block(fd);
	return rows_agree(&job->view, block) &&
	       (offset + job->view.offset - header) % block == 0;
}

/* ---- the parts of a row -------------------------------------------------- */

/* What lies between two parts that are shared. */
static enum tsl_status
concat(const struct npyio_output *out, int64_t first, int64_t end,
       struct tsl_error *err)
{
	enum tsl_status status;

	if (first == end)
		return TSL_OK;
	status = npyio_output_reserve(out, first, end - first, err);
	return status ? status : npyio_write_concat(out, first, end, err);
}

static bool
is_to_be_shared(const struct npyio_output *out, const struct tsl_cat_part *part)
{
	return part->is_dense && !part->is_turned &&
	       part->nbytes >= NPYIO_MIN_SHARED &&
	       !npyio_reader_is_stream(out->t->in[part->input]) &&
	       npyio_writer_may_reflink(out->t->out);
}

/* Before it goes what has come since byte 'first', which it moves on. */
static enum tsl_status
share_part(struct sharing *s, const struct tsl_cat_part *part, int64_t *first,
	   struct tsl_error *err)
{
	struct npyio_reader *in = s->out->t->in[part->input];
	struct run r = { .in = in, .first = part->at, .n = part->nbytes };
	enum tsl_status status;

	if (!is_to_be_shared(s->out, part))
		return TSL_OK;
	status = npyio_reader_hold(in, err);
	if (status)
		return status;
	if (share_blocks(s, &r)) {
		status = concat(s->out, *first, part->at, err);
		if (!status)
			status = write_ends(s, &r, err);
		*first = part->at + part->nbytes;
	}
	npyio_reader_release(in);
	return status;
}

enum tsl_status
npyio_reflink_parts(const struct npyio_output *out, int64_t *shared,
		    struct tsl_error *err)
{
	const struct tsl_cat_job *cat =
		(const struct tsl_cat_job *)(const void *)out->t->job;
	int64_t first = 0;
	struct sharing s;
	enum tsl_status status = begin(&s, out, err);

	/* Of many rows each is short, or the parts are in one another's way. */
	for (int64_t i = 0; i < cat->nparts && cat->nrows == 1 && !status; i++)
		status = share_part(&s, &cat->part[i], &first, err);
	if (!status)
		status = concat(out, first, cat->job.nbytes, err);
	free(s.buffer);
	*shared = s.shared;
	return status;
}
