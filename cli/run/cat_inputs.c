/*
 * cat_inputs.c - the arrays that are put together, in the order of the operands
 */
#include "cat_inputs.h"

#include "lib/base/minmax.h"
#include "memory.h"
#include "npyio/input/input_name.h"
#include "progress.h"

#include <stdlib.h>
#include <string.h>

/* So many files stay open; others are opened again when they are read. */
#define MAX_OPEN 16

void
cat_inputs_init(struct cat_inputs *s, const struct common_options *co, bool all,
		char *const *operands, int noperands, struct name_list *names)
{
	*s = (struct cat_inputs){ .co = co,
				  .all = all,
				  .operands = operands,
				  .noperands = noperands,
				  .names = names,
				  .inputs.drain = !co->no_drain };
	/* Already the opening may have to wait. */
	progress_wait(co);
}

void
cat_inputs_close(struct cat_inputs *s, enum tsl_status status)
{
	npyio_archive_close(s->archive);
	npyio_reader_close(s->taken);
	inputs_close(&s->inputs, status);
	free(s->part);
	*s = (struct cat_inputs){ .co = s->co };
}

/* Takes the reader over, and makes a part of it. */
static enum tsl_status
add(struct cat_inputs *s, struct npyio_reader *in, struct tsl_error *err)
{
	int n = s->inputs.n;
	struct tsl_cat_part *part;
	enum tsl_status status = inputs_add(&s->inputs, in, err);

	if (!status)
		status = inputs_select(in, s->co, err);
	if (status)
		return status;
	part = realloc(s->part, (size_t)(n + 1) * sizeof(*part));
	if (!part)
		return tsl_no_memory(err);
	s->part = part;
	part[n] = (struct tsl_cat_part){ .array = npyio_reader_array(in),
					 .name = npyio_reader_name(in),
					 .input = n };
	if (s->all)
		s->open = in;
	else if (s->number >= MAX_OPEN)
		npyio_reader_idle(in);
	s->number++;
	return TSL_OK;
}

/*
 * Leaves standard input, or whatever else 'in' reads, at the next array;
 * of a stream only once its data were taken.
 */
static enum tsl_status
pass(struct cat_inputs *s, struct npyio_reader *in, struct tsl_error *err)
{
	int64_t left = tsl_array_extent(npyio_reader_array(in));

	if (in != s->taken && npyio_reader_is_stream(in) &&
	    !npyio_reader_is_buffered(in) && left > 0)
		s->in_the_way = in;
	return s->in_the_way ? TSL_OK : npyio_reader_finish(in, err);
}

/* What follows the last array of an operand. */
static enum tsl_status
open_following(struct cat_inputs *s, struct tsl_error *err)
{
	struct npyio_reader *last = s->open, *in = NULL;
	enum tsl_status status = pass(s, last, err);

	if (status || s->in_the_way)
		return status;
	status = npyio_reader_open_next(&in, last, err);
	if (status)
		return status;
	if (s->number > MAX_OPEN)
		npyio_reader_idle(last);
	if (s->on_stdin == last && in)
		s->on_stdin = in;
	npyio_reader_close(s->taken);
	s->open = s->taken = NULL;
	return in ? add(s, in, err) : TSL_OK;
}

/* Whether the path leads to an archive, and to no one of its members. */
static bool
enter_archive(struct cat_inputs *s, const char *path)
{
	const char *member;
	bool found;

	if (npyio_archive_reopen(&s->archive, path, &member, &found, NULL) ||
	    !found || member)
		return false;
	s->member = 0;
	s->nmembers = npyio_archive_count(s->archive);
	return s->nmembers > 0;
}

/* As messages have it, "PATH:NAME". */
static enum tsl_status
name_member(const struct cat_inputs *s, int64_t i, const char **name,
	    struct tsl_error *err)
{
	struct npyio_text text = { 0 };
	int len;
	const char *member = npyio_archive_name(s->archive, i, &len);
	enum tsl_status status;

	npyio_input_show(&text, s->operands[s->next]);
	npyio_text_printf(&text, ":%.*s", len, member);
	status = npyio_text_ok(&text) ? name_list_add(s->names, text.s, err)
				      : tsl_no_memory(err);
	npyio_text_free(&text);
	*name = status ? NULL : s->names->name[s->names->n - 1];
	return status;
}

static enum tsl_status
open_member(struct cat_inputs *s, struct npyio_reader **in,
	    struct tsl_error *err)
{
	int64_t i = s->member++;
	bool is_first;
	const char *name;
	enum tsl_status status = name_member(s, i, &name, err);

	if (status)
		return status;
	status = npyio_archive_check_name(s->archive, i, &is_first, err);
	return status ? tsl_about(status, name, err)
		      : npyio_reader_open_member(in, s->archive, i, name, err);
}

static enum tsl_status
open_path(struct cat_inputs *s, const char *path, struct npyio_reader **in,
	  struct tsl_error *err)
{
	const struct npyio_reader_options as = {
		.archive = &s->archive,
		.room = memory_for_stream(s->co, path),
	};
	enum tsl_status status = inputs_open_one(in, path, &as, err);

	return status == TSL_ENPZ_MEMBER && s->all && enter_archive(s, path)
		       ? open_member(s, in, err)
		       : status;
}

static enum tsl_status
open_operand(struct cat_inputs *s, struct tsl_error *err)
{
	const char *path = s->operands[s->next];
	bool standard = npyio_input_is_stdin(path);
	struct npyio_reader *in;
	enum tsl_status status = TSL_OK;

	if (standard && s->on_stdin)
		status = pass(s, s->on_stdin, err);
	if (status || s->in_the_way)
		return status;
	status = s->member < s->nmembers ? open_member(s, &in, err)
					 : open_path(s, path, &in, err);
	if (status)
		return status;
	if (s->member == s->nmembers)
		s->next++;
	if (standard)
		s->on_stdin = in;
	return add(s, in, err);
}

enum tsl_status
cat_inputs_open(struct cat_inputs *s, bool *more, struct tsl_error *err)
{
	enum tsl_status status = TSL_OK;

	while (!status && !s->in_the_way && (s->open || s->next < s->noperands))
		status =
			s->open ? open_following(s, err) : open_operand(s, err);
	*more = s->in_the_way;
	return status;
}

enum tsl_status
cat_inputs_keep(struct cat_inputs *s, struct tsl_error *err)
{
	struct npyio_reader *in = s->in_the_way;
	int64_t nbytes = tsl_array_extent(npyio_reader_array(in));
	int64_t room = memory_for(s->co, nbytes) / 4 - s->kept;
	enum tsl_status status = npyio_reader_buffer(in, nbytes, room, err);

	if (npyio_reader_memory(in))
		s->kept += nbytes;
	s->in_the_way = NULL;
	return status;
}

enum tsl_status
cat_inputs_drop(struct cat_inputs *s, struct tsl_error *err)
{
	enum tsl_status status = TSL_OK;

	for (int i = 0; i < s->inputs.n && !status; i++)
		status = npyio_reader_finish(s->inputs.in[i], err);
	if (status)
		return status;
	for (int i = 0; i < s->inputs.n; i++)
		if (s->inputs.in[i] != s->open)
			npyio_reader_close(s->inputs.in[i]);
	s->taken = s->open;
	s->inputs.n = 0;
	s->kept = 0;
	s->on_stdin = s->in_the_way = NULL;
	return TSL_OK;
}
