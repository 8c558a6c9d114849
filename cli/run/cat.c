/*
 * cat.c - arrays put together, from the operands to the output
 *
 * Where all arrays can be opened at once they are one job.  What follows an
 * array in a stream can not, before that is out of the way.  Along the
 * outermost axis, it can be written then: the output grows, and its header,
 * which has room for any size of that axis, is written last.
 */
#include "cat.h"

#include "cat_inputs.h"
#include "cat_rows.h"
#include "dispatch.h"
#include "npyio/format/header.h"
#include "npyio/input/input_name.h"
#include "npyio/output/append.h"
#include "result_order.h"
#include "run.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* What there is so far of an output that grows. */
struct growth {
	const struct cat *cat;
	struct tsl_cat_options options;
	struct tsl_cat_part first; /* that all others have to go with */
	struct tsl_array model; /* it is */
	char *descr; /* of it */
	struct result_order order; /* of what is written */
	struct growing_output out; /* not open: there is a file */
	struct npyio_append file; /* what grows: it, or the output */
	struct rows rows; /* of what is open */
};

/* ---- what grows ---------------------------------------------------------- */

/* The model must outlive the reader of the first array. */
static enum tsl_status
set_model(struct growth *g, const struct tsl_cat_part *first,
	  struct tsl_error *err)
{
	g->descr = strdup(first->array->dtype.descr);
	if (!g->descr)
		return tsl_no_memory(err);
	g->model = *first->array;
	g->model.dtype.descr = g->descr;
	g->model.field = NULL;
	g->first = *first;
	g->first.array = &g->model;
	return TSL_OK;
}

/* A file grows at its end only: along its outermost axis. */
static enum tsl_status
check_file(const struct growth *g, const struct tsl_cat_part *file,
	   struct tsl_error *err)
{
	enum tsl_status status = tsl_cat_check(NULL, 0, file, &g->options, err);

	if (status || tsl_cat_is_outermost(file->array, &g->options))
		return status;
	if (g->options.order == TSL_ORDER_F)
		return tsl_fail(err, TSL_EBAD_AXIS,
				"it is in Fortran order, and can grow along "
				"its last axis only: say --axis -1; or write "
				"it in the other order, once: 'tslice --order "
				"C FILE -o FILE'");
	return tsl_fail(err, TSL_EBAD_AXIS,
			"it is in C order, and can grow along axis 0 only; for "
			"the last one write it in the other order, once: "
			"'tslice --order F FILE -o FILE'");
}

static enum tsl_status
open_file(struct growth *g, struct tsl_error *err)
{
	const struct tsl_cat_part file = { .array = &g->file.array,
					   .name = g->cat->append,
					   .input = -1 };
	enum tsl_status status =
		npyio_append_open(&g->file, g->cat->append, err);

	if (status || g->cat->noperands == 0)
		return status;
	g->options.order = g->file.order;
	status = check_file(g, &file, err);
	return status ? status : set_model(g, &file, err);
}

/*
 * Whether the output can grow with these: along its outermost axis, where the
 * length of the header does not depend on the size.  (Whether an array is in
 * Fortran order may, and rarely its header's length on that.)
 */
static enum tsl_status
can_grow(const struct growth *g, const struct tsl_cat_part *first, bool *can,
	 struct tsl_error *err)
{
	struct tsl_cat_part alone = *first;
	struct tsl_cat_job job;
	int64_t c = 0, f = 0;
	enum tsl_status status;

	*can = tsl_cat_is_outermost(first->array, &g->options);
	if (!*can || g->options.order != TSL_ORDER_F)
		return TSL_OK;
	status = tsl_cat_job_init(&job, &alone, 1, first, &g->options, err);
	job.job.out.fortran_order = false;
	if (!status)
		status = npyio_header_length(&job.job.out, &c, err);
	job.job.out.fortran_order = true;
	if (!status)
		status = npyio_header_length(&job.job.out, &f, err);
	*can = c == f;
	return status;
}

/* ---- what is open -------------------------------------------------------- */

/* Where there is a file, or is to be, a single row may be added. */
static enum tsl_status
open_more(struct growth *g, struct cat_inputs *s, bool *more,
	  struct tsl_error *err)
{
	const struct tsl_array *first = &g->model;
	int64_t axis = g->options.axis;
	enum tsl_status status = cat_inputs_open(s, more, err);

	if (status || s->inputs.n == 0 || (!g->cat->append && !g->cat->is_new))
		return status;
	if (!g->first.array)
		first = s->part[0].array;
	axis += axis < 0 ? first->ndim : 0;
	/* An axis that there is not is found later. */
	return axis < 0 || axis >= first->ndim
		       ? TSL_OK
		       : rows_add(&g->rows, s->part, s->inputs.n, first,
				  (int)axis, err);
}

/* ---- growing ------------------------------------------------------------- */

/* What is written must not be read meanwhile. */
static enum tsl_status
check_inputs(const struct growth *g, const struct inputs *inputs,
	     struct tsl_error *err)
{
	struct stat file;

	if (!g->cat->append)
		return run_check_output(g->out.out, inputs, err);
	if (fstat(g->file.fd, &file) != 0)
		return TSL_OK;
	return run_check_inputs(&file, inputs,
				"it is the file to be added to, and cannot be "
				"read meanwhile",
				err);
}

/* Everything that is open now, behind what there is. */
static enum tsl_status
grow(struct growth *g, struct cat_inputs *s, struct tsl_error *err)
{
	struct tsl_cat_job cat;
	enum tsl_status status;

	if (s->inputs.n == 0)
		return TSL_OK;
	status = tsl_cat_job_init(&cat, s->part, s->inputs.n, &g->first,
				  &g->options, err);
	if (!status)
		status = check_inputs(g, &s->inputs, err);
	if (!status)
		status = npyio_append_add(&g->file, &cat.job.out, err);
	if (!status)
		status = run_write_data(g->file.writer, g->cat->co, &cat.job,
					&s->inputs, err);
	inputs_blame(&s->inputs, status, err);
	rows_close(&g->rows);
	return status ? status : cat_inputs_drop(s, err);
}

static enum tsl_status
grow_to_the_end(struct growth *g, struct cat_inputs *s, bool more,
		struct tsl_error *err)
{
	enum tsl_status status = grow(g, s, err);

	while (more && !status) {
		status = open_more(g, s, &more, err);
		if (!status)
			status = grow(g, s, err);
	}
	return status ? status
		      : npyio_append_commit(&g->file, g->cat->co->sync, err);
}

static enum tsl_status
put_one_by_one(struct growth *g, struct cat_inputs *s, struct tsl_error *err)
{
	const struct common_options *co = g->cat->co;
	enum tsl_status status = set_model(g, &s->part[0], err);

	if (!status)
		status = growing_output_open(&g->out, co, false, err);
	npyio_append_new(&g->file, growing_output_writer(&g->out),
			 g->options.order, co->raw && !g->out.spool);
	if (!status)
		status = grow_to_the_end(g, s, true, err);
	if (!status)
		status = growing_output_end(&g->out, g->file.array.dtype.number,
					    err);
	return growing_output_close(&g->out, status, err);
}

/* ---- all at once --------------------------------------------------------- */

static enum tsl_status
put_together(const struct growth *g, struct cat_inputs *s,
	     struct tsl_error *err)
{
	const struct tsl_cat_part first = s->part[0];
	struct tsl_cat_job job;
	enum tsl_status status = tsl_cat_job_init(&job, s->part, s->inputs.n,
						  &first, &g->options, err);

	return status ? status
		      : dispatch_job(g->cat->co, &job.job, &s->inputs, err);
}

/* Opens all, or as many as there can be before the output grows. */
static enum tsl_status
open_arrays(struct growth *g, struct cat_inputs *s, bool *more,
	    struct tsl_error *err)
{
	enum tsl_status status = open_more(g, s, more, err);
	bool can = false;
	int checked = 0;

	while (*more && !status && !g->cat->append) {
		/* Before much is read that may be of no use; each once. */
		status = tsl_cat_check(s->part + checked, s->inputs.n - checked,
				       &s->part[0], &g->options, err);
		checked = s->inputs.n;
		if (!status)
			status = can_grow(g, &s->part[0], &can, err);
		if (can)
			return status;
		if (!status)
			status = cat_inputs_keep(s, err);
		if (!status)
			status = open_more(g, s, more, err);
	}
	return status;
}

static enum tsl_status
put_output(struct growth *g, struct cat_inputs *s, bool more,
	   struct tsl_error *err)
{
	enum tsl_status status =
		result_order_of(&g->order, g->cat->co, &s->part[0].array->dtype,
				&g->options.dtype, err);

	if (status)
		return status;
	return more ? put_one_by_one(g, s, err) : put_together(g, s, err);
}

static enum tsl_status
put_all(struct growth *g, struct cat_inputs *s, struct tsl_error *err)
{
	bool more;
	enum tsl_status status = open_arrays(g, s, &more, err);

	if (!status)
		status = g->cat->append ? grow_to_the_end(g, s, more, err)
					: put_output(g, s, more, err);
	inputs_blame(&s->inputs, status, err);
	return status;
}

static enum tsl_status
run(struct growth *g, struct cat_inputs *s, struct tsl_error *err)
{
	const struct cat *cat = g->cat;
	enum tsl_status status = cat->append ? open_file(g, err) : TSL_OK;

	if (!status)
		status =
			cat->noperands == 0
				? npyio_append_cut(&g->file, cat->co->sync, err)
				: put_all(g, s, err);
	return tsl_about_new(status, cat->append, err);
}

static enum tsl_status
run_once(const struct cat *cat, struct tsl_error *err)
{
	struct growth g = { .cat = cat,
			    .options = cat->options,
			    .file.fd = -1 };
	struct cat_inputs s;
	enum tsl_status status;

	cat_inputs_init(&s, cat->co, cat->all, cat->operands, cat->noperands,
			cat->names);
	status = run(&g, &s, err);
	cat_inputs_close(&s, status);
	rows_close(&g.rows);
	npyio_append_close(&g.file);
	result_order_free(&g.order);
	free(g.descr);
	return status;
}

/* ---- a file that is not there -------------------------------------------- */

/* Whether that is what the system said about the file to be added to. */
static bool
is_about_file(const struct cat *cat, enum tsl_status status,
	      const struct tsl_error *err, int sys)
{
	return status == TSL_EIO && err->sys == sys &&
	       err->subject == cat->append;
}

/* Somebody else may make it meanwhile, and is not to lose it. */
static enum tsl_status
make_file(const struct cat *cat, struct tsl_error *err)
{
	struct common_options co = *cat->co;
	struct cat anew = *cat;

	co.output = cat->append;
	co.no_clobber = true;
	anew.co = &co;
	anew.append = NULL;
	anew.is_new = true;
	return run_once(&anew, err);
}

/* Whether all inputs can be read a second time. */
static bool
can_begin_again(const struct cat *cat)
{
	struct stat st;

	for (int i = 0; i < cat->noperands; i++)
		if (stat(npyio_input_file(cat->operands[i]), &st) == 0 &&
		    !S_ISREG(st.st_mode))
			return false;
		else if (npyio_input_is_stdin(cat->operands[i]))
			return false;
	return true;
}

enum tsl_status
cat_run(const struct cat *cat, struct tsl_error *err)
{
	for (;;) {
		enum tsl_status status = run_once(cat, err);

		if (!cat->append || cat->noperands == 0 ||
		    !is_about_file(cat, status, err, ENOENT))
			return status;
		status = make_file(cat, err);
		if (!is_about_file(cat, status, err, EEXIST) ||
		    !can_begin_again(cat))
			return status;
	}
}
