/*
 * tshape.c - the command tshape: shapes of files, and what follows from them
 */
#include "applet.h"
#include "cli/operand/shape_methods.h"
#include "cli/option/device.h"
#include "cli/option/hint.h"
#include "cli/option/ignored_options.h"
#include "cli/option/member_output.h"
#include "cli/option/options.h"
#include "cli/print/columns.h"
#include "cli/report/json.h"
#include "cli/report/message.h"
#include "cli/run/run.h"
#include "npyio/input/input_name.h"
#include "npyio/input/reader.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const struct usage usage = {
	.synopsis = "  tshape [OPTION]... SUBJECT... [METHOD...]\n",
	.purpose =
		"Shows the shape of each SUBJECT: an .npy file, '-', or a "
		"literal such as\n"
		"'(2, ?)'.  Methods, each acting on the last one's result:\n"
		"  head, tail, take N, take-last N, sub BEGIN END,\n"
		"  append N|SHAPE, prepend N|SHAPE             give a shape\n"
		"  ndim, size, dim I, nbytes                   give a number\n"
		"  dtype                                       gives a dtype\n"
		"  is-scalar, is-vector, is-matrix, is-unknown,\n"
		"  has-unknown, equals SHAPE, compatible SHAPE give true or "
		"false, status 0 or 1",
	.examples =
		"  tshape x.npy                             (2, 3, 4)\n"
		"  tshape -l *.npy                          with dtype, order "
		"and bytes\n"
		"  tshape x.npy tail append 7 size          a chain of "
		"methods\n"
		"  tshape -q x.npy compatible '(?, 3, 4)'   a question, "
		"answered by the status\n",
	.word = shape_methods_name,
	.min_operands = 1,
	.max_operands = INT_MAX,
};

struct options {
	struct common_options co;
	bool list, names;
};

struct request {
	const struct options *o;
	char *const *subjects;
	int nsubjects;
	struct chain chain;
	bool named; /* each line begins with its subject */
	struct columns *columns; /* NULL: lines are written as they come */
	bool no_memory; /* and it has been said */
	struct npyio_archive **archive; /* that the last subject led to */
	FILE *out;
};

/* A subject's shape and, of a file, what else its header says. */
struct subject {
	const char *name;
	struct npyio_reader *in; /* NULL: a literal */
	struct value value;
};

/* ---- subjects ------------------------------------------------------------ */

/* No file, and so the system's own words would say too little. */
static void
neither(const char *name, struct tsl_error *err)
{
	err->sys = 0;
	strcpy(err->msg, "no such file, and neither a shape nor a method");
	(void)shape_methods_hint(err, name);
}

static bool
is_literal(const char *name)
{
	struct tsl_shape shape;

	return strcmp(name, "-") != 0 &&
	       tsl_shape_parse(&shape, name, strlen(name), NULL) == TSL_OK;
}

static enum tsl_status
look_at(const struct request *r, struct subject *s, struct tsl_error *err)
{
	const struct inputs in = { .n = 1, .in = &s->in };
	enum tsl_status status =
		r->o->co.output ? TSL_OK : run_check_stdout(&in, err);

	if (!status && !r->o->co.no_drain)
		status = npyio_reader_finish(s->in, err);
	if (status)
		return status;
	s->value.array = npyio_reader_array(s->in);
	s->value.shape = tsl_shape_of(s->value.array);
	return TSL_OK;
}

/* What parses as a literal is one. */
static enum tsl_status
open_subject(const struct request *r, struct subject *s, const char *name,
	     struct tsl_error *err)
{
	const struct npyio_reader_options as = { .archive = r->archive };
	enum tsl_status status;

	*s = (struct subject){ .name = npyio_input_shown(name) };
	if (strcmp(name, "-") != 0 &&
	    !tsl_shape_parse(&s->value.shape, name, strlen(name), NULL))
		return TSL_OK;
	status = npyio_reader_open_as(&s->in, name, &as, err);
	if (!status)
		return look_at(r, s, err);
	if (status == TSL_EIO && err->sys == ENOENT)
		neither(name, err);
	else
		hint_emptied(err, name);
	return status;
}

/* ---- writing ------------------------------------------------------------- */

/* As JSON: a string, of which all is printable, or null. */
static void
put_json_dtype(struct npyio_text *out, const struct tsl_array *a)
{
	int len;
	const char *name;

	if (!a) {
		npyio_text_puts(out, "null");
		return;
	}
	name = tsl_dtype_name(&a->dtype, &len);
	npyio_text_puts(out, "\"");
	for (int i = 0; i < len; i++) {
		if (name[i] == '"' || name[i] == '\\')
			npyio_text_puts(out, "\\");
		npyio_text_add(out, name + i, 1);
	}
	npyio_text_puts(out, "\"");
}

/* Of any value but a dtype, which may be long. */
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

/* The subject as it may be shown, and a colon. */
static char *
shown_name_new(const char *name)
{
	char *text = NULL;
	size_t n;
	FILE *f = open_memstream(&text, &n);

	if (!f)
		return NULL;
	message_escape(f, name, false);
	putc(':', f);
	if (fclose(f) == 0)
		return text;
	free(text);
	return NULL;
}

/* A shape and, from a file's header, dtype, order and bytes. */
static void
add_line(const struct request *r, const struct subject *s)
{
	const struct tsl_array *a = s->value.array;
	int len = 1;
	const char *dtype = a ? tsl_dtype_name(&a->dtype, &len) : "?";
	const char *order = !a ? "?" : a->fortran_order ? "F" : "C";
	char shape[TSL_SHAPE_TEXT], bytes[24] = "?";
	char *name = r->named ? shown_name_new(s->name) : strdup("");
	char *copy = strndup(dtype, (size_t)len);

	value_text(&s->value, false, shape);
	if (a)
		snprintf(bytes, sizeof(bytes), "%" PRId64, tsl_array_nbytes(a));
	/* Without memory for one there is no table; that is said at its end. */
	if (name && copy)
		columns_add(r->columns,
			    (const char *const[COLUMNS]){ name, shape, copy,
							  order, bytes });
	else
		r->columns->cells.failed = true;
	free(name);
	free(copy);
}

static void
write_text(const struct request *r, const struct subject *s)
{
	const struct tsl_array *a = s->value.array;
	char text[TSL_SHAPE_TEXT] = "?";
	const char *shown = text;
	int len = -1; /* all of it */

	if (r->columns) {
		add_line(r, s);
		return;
	}
	if (s->value.kind != VALUE_DTYPE)
		value_text(&s->value, false, text);
	else if (a)
		shown = tsl_dtype_name(&a->dtype, &len);
	if (r->named) {
		message_escape(r->out, s->name, false);
		fputs(": ", r->out);
	}
	fprintf(r->out, "%.*s\n", len, shown);
}

static enum tsl_status
write_json_value(const struct request *r, const char *name,
		 const struct value *v, struct tsl_error *err)
{
	struct npyio_text text = { 0 };
	char plain[TSL_SHAPE_TEXT];
	enum tsl_status status;

	if (v->kind == VALUE_DTYPE) {
		put_json_dtype(&text, v->array);
	} else {
		value_text(v, true, plain);
		npyio_text_puts(&text, plain);
	}
	status = npyio_text_ok(&text)
			 ? json_write_value(r->out, name, text.s, err)
			 : tsl_no_memory(err);
	npyio_text_free(&text);
	return status;
}

static enum tsl_status
write_json(const struct request *r, const struct subject *s,
	   struct tsl_error *err)
{
	struct json_shape shape = {
		.name = r->named ? s->name : NULL,
		.shape = &s->value.shape,
		.array = s->value.array,
	};
	enum tsl_status status;

	if (s->value.kind != VALUE_SHAPE)
		return write_json_value(r, shape.name, &s->value, err);
	if (shape.array)
		shape.data_offset = npyio_reader_data_offset(s->in);
	status = tsl_shape_size(shape.shape, &shape.size, err);
	if (status)
		err->subject = s->name;
	return status ? status : json_write_shape(r->out, &shape, err);
}

static enum tsl_status
write_subject(const struct request *r, const struct subject *s,
	      struct tsl_error *err)
{
	if (r->o->co.quiet)
		return TSL_OK;
	if (r->o->co.json)
		return write_json(r, s, err);
	write_text(r, s);
	return TSL_OK;
}

/* Returns the exit status that comes of a subject that was opened, or not. */
static int
finish_subject(struct request *r, struct subject *s, enum tsl_status status,
	       struct tsl_error *err)
{
	if (!status) {
		status = shape_methods_apply(&r->chain, &s->value, err);
		if (status)
			err->subject = s->name;
	}
	if (!status)
		status = write_subject(r, s, err);
	npyio_reader_close(s->in);
	r->no_memory |= status == TSL_EMEMORY;
	if (status)
		return message_error(err, NULL);
	return s->value.kind == VALUE_ANSWER && !s->value.answer;
}

/* Member i, under a name by which it can be opened alone. */
static int
do_member(struct request *r, const char *path, struct npyio_archive *a,
	  int64_t i)
{
	struct subject s = { .in = NULL };
	struct npyio_text label = { 0 };
	struct tsl_error err;
	enum tsl_status status;
	int len, exit_status;
	const char *name = npyio_archive_name(a, i, &len);
	bool is_first = true;

	npyio_text_printf(&label, "%s:%.*s", path, len, name);
	if (npyio_text_ok(&label)) {
		s.name = label.s;
		status = npyio_archive_check_name(a, i, &is_first, &err);
		err.subject = s.name;
	} else {
		status = tsl_no_memory(&err);
	}
	if (!status)
		status = npyio_reader_open_member(&s.in, a, i, s.name, &err);
	if (!status)
		status = look_at(r, &s, &err);
	/* Of those that share a name it is said once. */
	exit_status = status == TSL_EBAD_ARCHIVE && !is_first
			      ? 3
			      : finish_subject(r, &s, status, &err);
	npyio_text_free(&label);
	return exit_status;
}

/* Each of an archive's members, where 'path' leaves the choice; or -1. */
static int
do_members(struct request *r, const char *path)
{
	bool named = r->named, found;
	int highest = -1;
	const char *word;

	/* Most often opening the path has led to it already. */
	if (npyio_archive_reopen(r->archive, path, &word, &found, NULL) ||
	    !found)
		return -1;
	r->named = true;
	for (int64_t i = 0; !word && i < npyio_archive_count(*r->archive);
	     i++) {
		int status = do_member(r, path, *r->archive, i);

		if (status > highest)
			highest = status;
	}
	r->named = named;
	return highest;
}

/* Returns the exit status that comes of one subject. */
static int
do_subject(struct request *r, const char *name)
{
	struct subject s;
	struct tsl_error err;
	enum tsl_status status = open_subject(r, &s, name, &err);
	int exit_status = status == TSL_ENPZ_MEMBER ? do_members(r, name) : -1;

	if (exit_status >= 0)
		return exit_status;
	if (status)
		hint_member(&err, name);
	return finish_subject(r, &s, status, &err);
}

/*
 * A mistyped method makes subjects of itself and of all behind it: one word
 * about that says more than one about each.  Returns the method, or NULL.
 */
static const char *
mistyped_method(const struct request *r)
{
	struct tsl_error err;

	for (int i = 1; i < r->nsubjects; i++) {
		const char *name = r->subjects[i];

		tsl_fail(&err, TSL_EIO, "%s", "");
		if (shape_methods_hint(&err, name) && !is_literal(name) &&
		    access(name, F_OK) != 0 && errno == ENOENT)
			return name;
	}
	return NULL;
}

/* Returns the highest exit status that comes of any. */
static int
do_each(struct request *r)
{
	int highest = 0;

	for (int i = 0; i < r->nsubjects; i++) {
		int status = do_subject(r, r->subjects[i]);

		if (status > highest)
			highest = status;
	}
	return highest;
}

static int
do_subjects(struct request *r)
{
	struct columns columns = { .width = { 0 } };
	struct npyio_archive *archive = NULL;
	const char *method = mistyped_method(r);
	int exit_status;

	r->archive = &archive;
	if (method) {
		exit_status = do_subject(r, method);
		npyio_archive_close(archive);
		return exit_status;
	}
	/* What is no shape has nothing beside it. */
	if (r->o->list && !r->o->co.json &&
	    shape_methods_result(&r->chain) == VALUE_SHAPE)
		r->columns = &columns;
	exit_status = do_each(r);
	npyio_archive_close(archive);
	/* It is said once that there is no memory. */
	if (!columns_write(&columns, r->out) && !r->no_memory)
		exit_status = message_fail(TSL_EMEMORY, "out of memory");
	columns_free(&columns);
	return exit_status;
}

/* ---- to a file ----------------------------------------------------------- */

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
	else if (exit_status <= 1 &&
		 run_write_bytes(&r->o->co, text, len, &err))
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
		OPT_FLAG('H', "with-filename", &o.names,
			 "name the subject even if it is the only one"),
		OPT_FLAG('q', "quiet", &o.co.quiet,
			 "print nothing: the exit status is the answer"),
		OPT_FLAG(0, "json", &o.co.json, "results and errors as JSON"),
		OUTPUT_OPTION(&o.co),
		FILE_OPTIONS(&o.co),
		LAST_OPTIONS(&o.co),
		IGNORED_OPTIONS(&o.co),
		{ 0 },
	};
	struct request r = { .o = &o, .subjects = argv + 1, .out = stdout };
	struct tsl_error err;
	int n, exit_status;

	if (!options_parse(argc, argv, table, &o.co, &usage, &n, &exit_status))
		return exit_status;
	while (r.nsubjects < n &&
	       !shape_methods_is_name(r.subjects[r.nsubjects]))
		r.nsubjects++;
	if (r.nsubjects == 0)
		return options_misuse(&usage);
	if (o.co.quiet && o.co.output)
		return message_usage("-q prints nothing that -o could write");
	exit_status = member_output_resolve(&o.co, true);
	if (exit_status)
		return exit_status;
	r.named = o.names || r.nsubjects > 1;
	/* Nothing is computed: threads and the environment do not matter. */
	if ((o.co.device && device_check(o.co.device, &err)) ||
	    shape_methods_parse(&r.chain, argv + 1 + r.nsubjects,
				n - r.nsubjects, &err))
		return message_error(&err, NULL);
	return o.co.output ? do_subjects_to_file(&r) : do_subjects(&r);
}

const struct applet tshape_applet = { "tshape", tshape_main };
