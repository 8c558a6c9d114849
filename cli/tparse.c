/*
 * tparse.c - the command tparse: an array from text
 *
 * The road of the text: its lines, in chunks, are parsed by several threads
 * (pass.h), and what comes of them is written as it comes (array_out.h).  How
 * wide the widest text is, and whether all numbers are integers, is known at
 * the end; so there may be a second pass.
 */
#include "applet.h"
#include "cli/operand/arrange.h"
#include "cli/parse/array_out.h"
#include "cli/parse/pass.h"
#include "cli/report/message.h"
#include "cli/run/command.h"
#include "cli/run/memory.h"
#include "cli/run/progress.h"
#include "cli/run/result_order.h"
#include "cli/run/run.h"
#include "cli/run/verbose.h"
#include "lib/base/minmax.h"
#include "npyio/format/field.h"

#include <stdlib.h>
#include <string.h>

/* Bytes of text that a thread parses at a time. */
#define MAX_CHUNK ((int64_t)512 * 1024)
#define MIN_CHUNK ((int64_t)16 * 1024)

static const struct usage usage = {
	.synopsis = "  tparse [OPTION]... [FILE] [-o OUT]\n",
	.purpose = "Writes the numbers, or words, of the text in FILE, or of "
		   "standard input, as an\n"
		   "array: a line is a row.  The way back from --print=plain, "
		   "csv and tsv.",
	.examples =
		"  seq 24 | tparse --reshape 2,3,4 -o grid.npy\n"
		"  tparse table.csv --skip 1 -d f4 -o table.npy\n"
		"  tparse -d '[(\"id\",\"i8\"),(\"name\",\"U8\")]' p.csv -o "
		"p.npy\n"
		"  yes 0 | head -n 1000 | tparse -d f4 -o zeros.npy\n"
		"  tslice x.npy --print=csv | tparse -d f8 -o same.npy\n",
	.max_operands = 1,
	.reads_text = true,
};

struct request {
	struct common_options co;
	const char *dtype, *delimiter, *ndmin; /* NULL: not said */
	int skip; /* lines */
	struct arrange arrange; /* --reshape alone */
	struct schema schema;
	char separator; /* '\0': to be found */
	bool is_second; /* the text is gone through once more */
	char *bad_line;
};

/* ---- the command line ---------------------------------------------------- */

static enum tsl_status
read_delimiter(struct request *r, struct tsl_error *err)
{
	const char *s = r->delimiter;

	if (!s)
		return TSL_OK;
	if (strcmp(s, "blank") == 0) {
		r->separator = ROWS_BLANKS;
		return TSL_OK;
	}
	if (!*s || s[1] || strchr("\n\r\"#", *s))
		return tsl_fail(err, TSL_ESYNTAX,
				"--delimiter is one byte or 'blank', not '%s'",
				s);
	r->separator = *s;
	return TSL_OK;
}

static enum tsl_status
check_ndmin(const struct request *r, struct tsl_error *err)
{
	const char *s = r->ndmin;

	if (!s || (*s >= '0' && *s <= '2' && !s[1]))
		return TSL_OK;
	return tsl_fail(err, TSL_ESYNTAX, "--ndmin is 0, 1 or 2, not '%s'", s);
}

/* Returns 0, or an exit status. */
static int
parse(struct invocation *c, char **operands, int n)
{
	/* It is opened as what it is, no array. */
	(void)operands;
	c->ninputs = 0;
	if (n == 0) {
		c->input[0] = "-";
		c->text_input = c->input[0];
	}
	return 0;
}

/* The type says what fields there are. */
static enum tsl_status
check_field(const struct request *r, struct tsl_error *err)
{
	struct tsl_field field;
	char *descr;
	enum tsl_status status;

	if (!r->co.field)
		return TSL_OK;
	status = npyio_field_find(&field, &descr, &r->schema.dtype, r->co.field,
				  err);
	free(descr);
	return status;
}

static enum tsl_status
compile(void *request, struct tsl_error *err)
{
	struct request *r = request;
	enum tsl_status status = schema_init(&r->schema, r->dtype,
					     result_order_mark(&r->co), err);

	if (!status)
		status = read_delimiter(r, err);
	if (!status)
		status = check_ndmin(r, err);
	if (!status)
		status = check_field(r, err);
	return status ? status : arrange_compile(&r->arrange, err);
}

/* ---- the shape ----------------------------------------------------------- */

/* As the rows are; of one column, or one row, one axis is enough. */
static void
set_shape(struct tsl_array *a, const struct request *r, int64_t rows,
	  int64_t columns)
{
	bool two = r->ndmin && *r->ndmin == '2';

	if (columns == ROWS_NOT_KNOWN || r->schema.is_record)
		columns = 1;
	a->ndim = two || (rows != 1 && columns != 1) ? 2 : 1;
	if (rows == 0 && !two)
		a->ndim = 1;
	a->dim[0] = a->ndim == 2 || columns == 1 ? rows : columns;
	a->dim[a->ndim - 1] = a->ndim == 2 ? columns : a->dim[0];
}

static enum tsl_status
reshape(struct tsl_array *a, const struct request *r, struct tsl_error *err)
{
	struct tsl_shape shape = tsl_shape_of(a);
	struct tsl_arrangement to;
	enum tsl_status status;

	if (!r->arrange.sizes)
		return TSL_OK;
	status =
		tsl_arrange(&to, &r->arrange.lists, &shape, a->dtype.size, err);
	if (status)
		return status;
	a->ndim = to.shape.ndim;
	memcpy(a->dim, to.shape.dim, sizeof(a->dim));
	return TSL_OK;
}

/* Sizes that are not known yet: their digits are what is not either. */
static struct tsl_array
guess_array(const struct request *r)
{
	const struct tsl_arrange_list *sizes = &r->arrange.lists.sizes;
	struct tsl_array a = { .dtype = r->schema.dtype };

	if (!r->arrange.sizes) {
		set_shape(&a, r, 2, 2);
		return a;
	}
	a.ndim = (int)tsl_min(sizes->n, TSL_MAX_DIMS);
	for (int i = 0; i < a.ndim; i++)
		a.dim[i] = tsl_max(sizes->item[i], 0);
	return a;
}

/* ---- the passes ---------------------------------------------------------- */

/* Each thread has a chunk's text, and what it is made into. */
static void
set_sizes(struct pass *p, const struct request *r, const struct source *s)
{
	const struct schema *f = &r->schema;
	int64_t memory = memory_for(&r->co, INT64_MAX);
	int64_t size = source_size(s), chunk;
	/* A cell is a byte and what divides it, at least. */
	int64_t factor = 2 + f->dtype.size / (2 * f->ncolumns);

	p->threads =
		(int)tsl_max(tsl_min(r->co.threads, memory / MAX_CHUNK), 1);
	if (size >= 0 && size < MAX_CHUNK)
		p->threads = 1;
	chunk = memory / p->threads / factor;
	p->chunker.size = (size_t)tsl_max(tsl_min(chunk, MAX_CHUNK), MIN_CHUNK);
	p->chunker.most = (size_t)tsl_max(memory / p->threads / 2, MIN_CHUNK);
	p->chunker.has_text = f->has_text;
	p->chunker.is_record = f->is_record;
}

static enum tsl_status
run_pass(struct pass *p, struct request *r, struct source *s,
	 struct npyio_writer *out, struct tsl_error *err)
{
	enum tsl_status status;

	set_sizes(p, r, s);
	p->out = out;
	p->rules.schema = &r->schema;
	p->rules.measures = r->schema.is_widest;
	p->line = r->skip;
	p->chunker.delimiter = r->separator;
	chunker_begin(&p->chunker);
	status = chunker_skip(&p->chunker, r->skip, err);
	if (!status)
		status = pass_run(p, err);
	r->bad_line = p->bad_line;
	return status;
}

static enum tsl_status
parse_text(struct pass *p, struct request *r, struct source *s,
	   struct array_out *out, struct tsl_error *err)
{
	struct npyio_writer *to = growing_output_writer(&out->output);
	bool measures = r->schema.is_widest, guesses = r->schema.is_guess;
	enum tsl_status status;

	p->offset = out->offset;
	if (measures || guesses)
		source_keep(s);
	status = run_pass(p, r, s, measures ? NULL : to, err);
	if (status)
		return status;
	if (measures)
		status = schema_set_width(&r->schema, p->widest, err);
	else if (guesses && (p->not_integer || p->rows == 0))
		status = schema_be_float(&r->schema, err);
	if (status || !(measures || p->not_integer))
		return status;
	r->is_second = true;
	source_rewind(s, true);
	return run_pass(p, r, s, to, err);
}

/* ---- doing --------------------------------------------------------------- */

/* Text is not written over while it is read. */
static enum tsl_status
check_output(const struct source *s, const struct array_out *out,
	     struct tsl_error *err)
{
	struct stat st;

	if (!s->is_file || !out->output.out ||
	    npyio_writer_is_positional(out->output.out) ||
	    !npyio_writer_stat(out->output.out, &st) ||
	    st.st_dev != s->st.st_dev || st.st_ino != s->st.st_ino)
		return TSL_OK;
	return tsl_fail(err, TSL_EIO,
			"the input is also the output: use -o to replace it");
}

static enum tsl_status
write_array(struct request *r, struct source *s, struct array_out *out,
	    struct tsl_error *err)
{
	struct tsl_powers powers;
	struct pass p = { .rules.powers = &powers, .chunker.source = s };
	struct tsl_array array = { .ndim = 0 };
	enum tsl_status status = check_output(s, out, err);

	if (status)
		return status;
	tsl_powers_init(&powers);
	status = parse_text(&p, r, s, out, err);
	chunker_free(&p.chunker);
	if (status)
		return status;
	verbose_text(&r->co, p.rows, tsl_max(p.columns, 0), p.threads,
		     r->is_second);
	array.dtype = r->schema.dtype;
	set_shape(&array, r, p.rows, p.columns);
	status = reshape(&array, r, err);
	return status ? status : array_out_end(out, &array, err);
}

static enum tsl_status
make_array(struct request *r, struct source *s, struct tsl_error *err)
{
	const struct tsl_array like = guess_array(r);
	struct array_out out;
	enum tsl_status status = array_out_open(&out, &r->co, &like, err);

	if (!status) {
		if (source_size(s) >= 0)
			progress_start(&r->co, source_size(s));
		status = write_array(r, s, &out, err);
		progress_end();
		if (status && !err->subject)
			err->subject = s->name;
	}
	return growing_output_close(&out.output, status, err);
}

static enum tsl_status
run(const struct invocation *c, const struct inputs *inputs,
    struct tsl_error *err)
{
	struct request *r = c->request;
	struct source source;
	enum tsl_status status;

	(void)inputs;
	progress_listen();
	status = source_open(&source, c->input[0],
			     memory_for(&r->co, INT64_MAX) / 4, err);
	if (!status)
		status = make_array(r, &source, err);
	source_close(&source);
	return status;
}

/* The line that is wrong is known at last. */
static const char *
line_of(const void *request)
{
	return ((const struct request *)request)->bad_line;
}

static void
release(void *request)
{
	struct request *r = request;

	schema_free(&r->schema);
	free(r->bad_line);
}

static const struct command command = {
	.usage = &usage,
	.parse = parse,
	.compile = compile,
	.run = run,
	.line_of = line_of,
	.release = release,
};

static int
tparse_main(int argc, char **argv)
{
	struct request r = { .co = COMMON_DEFAULTS };
	const struct opt table[] = {
		OPT_STRING('d', "dtype", "DTYPE", &r.dtype,
			   "type of the result, such as f4, U8, M8[ns] or a "
			   "list of fields"),
		OPT_STRING(0, "delimiter", "C", &r.delimiter,
			   "what divides cells: one byte, or 'blank'"),
		OPT_DIGITS(0, "skip", "N", &r.skip,
			   "leave the first N lines out"),
		OPT_STRING(0, "ndmin", "N", &r.ndmin,
			   "2: one row or column has two axes, too"),
		OPT_STRING(0, "reshape", "LIST", &r.arrange.sizes,
			   "the elements in another shape, such as 3,-1"),
		COMMON_OPTIONS(&r.co, "C"),
		{ 0 },
	};

	return command_main(&command, &r, &r.co, table, argc, argv);
}

const struct applet tparse_applet = { "tparse", tparse_main };
