/*
 * tshape.c - the command tshape: shapes of files, and what follows from them
 */
#include "applet.h"
#include "device.h"
#include "json.h"
#include "message.h"
#include "methods.h"
#include "npyio/file/reader.h"
#include "npyio/file/writer.h"
#include "options.h"
#include "run.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

static const struct usage usage = {
	.synopsis = "  tshape [OPTION]... SUBJECT... [METHOD...]\n",
	.purpose =
		"Shows the shape of each SUBJECT: an .npy file, '-', or a "
		"literal such as '(2, ?)'.\n"
		"Methods, each acting on the last one's result:\n"
		"  head, tail, take N, take-last N, sub BEGIN END,\n"
		"  append N|SHAPE, prepend N|SHAPE             give a shape\n"
		"  ndim, size, dim I                           give a number\n"
		"  is-scalar, is-vector, is-matrix, is-unknown,\n"
		"  has-unknown, equals SHAPE, compatible SHAPE give true or "
		"false, status 0 or 1",
	.examples =
		"  tshape x.npy                             (2, 3, 4)\n"
		"  tshape -l *.npy                          with dtype, order "
		"and bytes\n"
		"  tshape x.npy tail append 7 size          a chain of "
		"methods\n"
		"  tshape x.npy compatible '(?, 3, 4)'      a question\n",
	.min_operands = 1,
	.max_operands = INT_MAX,
};

struct options {
	struct common_options co;
	bool list;
};

struct request {
	const struct options *o;
	char *const *subjects;
	int nsubjects;
	struct chain chain;
	FILE *out;
};

/* A subject's shape and, of a file, what else its header says. */
struct subject {
	const char *name;
	struct npyio_reader *in; /* NULL: a literal */
	struct value value;
};

/* ---- subjects ------------------------------------------------------------ */

/* What parses as a literal is one. */
static enum tsl_status
open_subject(const struct request *r, struct subject *s, const char *name,
	     struct tsl_error *err)
{
	enum tsl_status status;

	*s = (struct subject){ .name = name };
	if (strcmp(name, "-") != 0 &&
	    !tsl_shape_parse(&s->value.shape, name, strlen(name), NULL))
		return TSL_OK;
	status = npyio_reader_open(&s->in, name, err);
	if (status == TSL_EIO && err->sys == ENOENT)
		strcpy(err->msg, "neither a shape nor a file");
	if (!status && !r->o->co.output)
		status = run_check_stdout(s->in, err);
	if (!status && !r->o->co.no_drain)
		status = npyio_reader_finish(s->in, err);
	if (!status)
		s->value.shape = tsl_shape_of(npyio_reader_array(s->in));
	return status;
}

/* Past the first method a shape is no longer the file's. */
static const struct tsl_array *
array_of(const struct request *r, const struct subject *s)
{
	return s->in && r->chain.n == 0 ? npyio_reader_array(s->in) : NULL;
}

/* ---- writing ------------------------------------------------------------- */

static void
value_text(const struct value *v, bool json, char text[TSL_SHAPE_TEXT])
{
	if (v->kind == VALUE_SHAPE)
		tsl_shape_format(&v->shape, text);
	else if (v->kind == VALUE_ANSWER)
		strcpy(text, v->answer ? "true" : "false");
	else if (v->number == TSL_UNKNOWN && !json)
		strcpy(text, "?");
	else
		snprintf(text, TSL_SHAPE_TEXT, "%" PRId64, v->number);
}

static void
write_facts(FILE *out, const struct tsl_array *a)
{
	int len;
	const char *dtype;

	if (!a) {
		fputs("  ?  ?  ?", out);
		return;
	}
	dtype = tsl_dtype_name(&a->dtype, &len);
	fprintf(out, "  %.*s  %c  %" PRId64, len, dtype,
		a->fortran_order ? 'F' : 'C', tsl_array_nbytes(a));
}

static void
write_text(const struct request *r, const struct subject *s)
{
	char text[TSL_SHAPE_TEXT];

	if (r->nsubjects > 1) {
		message_escape(r->out, s->name, false);
		fputs(": ", r->out);
	}
	value_text(&s->value, false, text);
	fputs(text, r->out);
	if (r->o->list && s->value.kind == VALUE_SHAPE)
		write_facts(r->out, array_of(r, s));
	fputc('\n', r->out);
}

static enum tsl_status
write_json(const struct request *r, const struct subject *s,
	   struct tsl_error *err)
{
	struct json_shape shape = {
		.name = r->nsubjects > 1 ? s->name : NULL,
		.shape = &s->value.shape,
		.array = array_of(r, s),
	};
	char text[TSL_SHAPE_TEXT];
	enum tsl_status status;

	if (s->value.kind != VALUE_SHAPE) {
		value_text(&s->value, true, text);
		return json_write_value(r->out, shape.name, text, err);
	}
	if (shape.array)
		shape.data_offset = npyio_reader_data_offset(s->in);
	status = tsl_shape_size(shape.shape, &shape.size, err);
	if (status)
		err->subject = s->name;
	return status ? status : json_write_shape(r->out, &shape, err);
}

/* Returns the exit status that comes of one subject. */
static int
do_subject(const struct request *r, const char *name)
{
	struct subject s;
	struct tsl_error err;
	enum tsl_status status = open_subject(r, &s, name, &err);

	if (!status) {
		status = methods_apply(&r->chain, &s.value, &err);
		if (status)
			err.subject = name;
	}
	if (!status && r->o->co.json)
		status = write_json(r, &s, &err);
	else if (!status)
		write_text(r, &s);
	npyio_reader_close(s.in);
	if (status)
		return message_error(&err, NULL);
	return s.value.kind == VALUE_ANSWER && !s.value.answer;
}

static int
do_subjects(const struct request *r)
{
	int highest = 0;

	for (int i = 0; i < r->nsubjects; i++) {
		int status = do_subject(r, r->subjects[i]);

		if (status > highest)
			highest = status;
	}
	return highest;
}

/* ---- to a file ----------------------------------------------------------- */

static enum tsl_status
write_file(const struct common_options *co, const char *text, size_t len,
	   struct tsl_error *err)
{
	const struct npyio_writer_options options = {
		.no_clobber = co->no_clobber,
		.sync = co->sync,
	};
	struct npyio_writer *out;
	enum tsl_status status;

	status = npyio_writer_open(&out, co->output, &options, err);
	if (status)
		return status;
	status = npyio_writer_put(out, text, len, 0, err);
	if (!status)
		return npyio_writer_commit(out, err);
	npyio_writer_abort(out);
	return status;
}

/* A file appears only if no subject failed. */
static int
do_subjects_to_file(struct request *r)
{
	char *text = NULL;
	size_t len;
	struct tsl_error err;
	int exit_status;

	r->out = open_memstream(&text, &len);
	if (!r->out)
		return message_fail(TSL_EMEMORY, "out of memory");
	exit_status = do_subjects(r);
	if (fclose(r->out) != 0)
		exit_status = message_fail(TSL_EMEMORY, "out of memory");
	else if (exit_status <= 1 && write_file(&r->o->co, text, len, &err))
		exit_status = message_error(&err, NULL);
	free(text);
	return exit_status;
}

/* ---- the command line ---------------------------------------------------- */

static int
tshape_main(int argc, char **argv)
{
	struct options o = { .co = COMMON_DEFAULTS };
	const struct opt table[] = {
		OPT_FLAG('l', "long", &o.list,
			 "add dtype, order and bytes to a file's shape"),
		COMMON_OPTIONS(&o.co, "none"),
		{ 0 },
	};
	struct request r = { .o = &o, .subjects = argv + 1, .out = stdout };
	struct tsl_error err;
	int n, exit_status;

	if (!options_parse(argc, argv, table, &o.co, &usage, &n, &exit_status))
		return exit_status;
	while (r.nsubjects < n && !methods_is_name(r.subjects[r.nsubjects]))
		r.nsubjects++;
	if (r.nsubjects == 0)
		return options_misuse(&usage);
	/* Nothing is computed: threads and the environment do not matter. */
	if ((o.co.device && device_check(o.co.device, &err)) ||
	    methods_parse(&r.chain, argv + 1 + r.nsubjects, n - r.nsubjects,
			  &err))
		return message_error(&err, NULL);
	return o.co.output ? do_subjects_to_file(&r) : do_subjects(&r);
}

const struct applet tshape_applet = { "tshape", tshape_main };
