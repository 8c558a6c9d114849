/*
 * names.c - the inputs of a command that takes many, one after the other
 */
#define _GNU_SOURCE /* getdelim */
#include "names.h"

#include "name_set.h"
#include "npyio/file/fd.h"
#include "npyio/input/input_name.h"
#include "result_name.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define MEMBER ".npy"

struct names {
	struct names_options options;
	int next; /* operand */
	FILE *list;
	char *line; /* of it */
	size_t line_cap;
	struct names_archive *archive; /* whose members come; NULL: none's */
	char *archive_path;
	int64_t member; /* the next */
	int64_t number; /* of the next input */
};

/* ---- the list ------------------------------------------------------------ */

static enum tsl_status
fail_list(const struct names *s, const char *what, struct tsl_error *err)
{
	return tsl_about(npyio_fail_sys(err, what),
			 strcmp(s->options.list, "-") == 0 ? "standard input"
							   : s->options.list,
			 err);
}

static enum tsl_status
open_list(struct names *s, struct tsl_error *err)
{
	if (strcmp(s->options.list, "-") == 0)
		s->list = stdin;
	else
		s->list = fopen(s->options.list, "re");
	return s->list ? TSL_OK : fail_list(s, "cannot open", err);
}

enum tsl_status
names_open(struct names **names_new, const struct names_options *options,
	   struct tsl_error *err)
{
	struct names *s = calloc(1, sizeof(*s));
	enum tsl_status status = TSL_OK;

	*names_new = s;
	if (!s)
		return tsl_no_memory(err);
	s->options = *options;
	if (options->list)
		status = open_list(s, err);
	return status;
}

/* '*path' is NULL where there are no more. */
static enum tsl_status
next_path(struct names *s, const char **path, struct tsl_error *err)
{
	*path = NULL;
	if (!s->list) {
		if (s->next < s->options.noperands)
			*path = s->options.operand[s->next++];
		return TSL_OK;
	}
	errno = 0;
	if (getdelim(&s->line, &s->line_cap, '\0', s->list) >= 0) {
		*path = s->line;
		return TSL_OK;
	}
	if (feof(s->list))
		return TSL_OK;
	return fail_list(s, "cannot read", err);
}

/* ---- archives ------------------------------------------------------------ */

static void
release_archive(struct names_archive *a)
{
	if (!a || --a->users > 0)
		return;
	npyio_archive_close(a->archive);
	free(a);
}

static void
leave_archive(struct names *s)
{
	release_archive(s->archive);
	free(s->archive_path);
	s->archive = NULL;
	s->archive_path = NULL;
	s->member = 0;
}

/* Whether the path is an archive, whose members come next. */
static bool
enter_archive(struct names *s, struct item *item)
{
	const char *path = item->path.s;
	struct npyio_archive *a;
	const char *member;

	if (s->options.in_place || npyio_input_has_scheme(path) ||
	    !npyio_container_by_name(path, item->path.len))
		return false;
	item->status = npyio_archive_open(&a, path, &member, &item->err);
	if (item->status || !a)
		return false;
	s->archive = calloc(1, sizeof(*s->archive));
	s->archive_path = strdup(path);
	if (member || !s->archive || !s->archive_path) {
		npyio_archive_close(a);
		free(s->archive);
		free(s->archive_path);
		s->archive = NULL;
		s->archive_path = NULL;
		return false;
	}
	*s->archive = (struct names_archive){ .archive = a, .users = 1 };
	return true;
}

/* ---- inputs -------------------------------------------------------------- */

void
names_release(struct item *item)
{
	release_archive(item->archive);
	item->archive = NULL;
}

void
names_free_item(struct item *item)
{
	npyio_text_free(&item->path);
	npyio_text_free(&item->shown);
	npyio_text_free(&item->name);
}

static void
begin_item(struct names *s, struct item *item, const char *path)
{
	item->number = s->number++;
	item->archive = NULL;
	item->status = TSL_OK;
	npyio_text_cut(&item->path, 0);
	npyio_text_cut(&item->shown, 0);
	npyio_text_cut(&item->name, 0);
	npyio_text_puts(&item->path, path);
	npyio_input_show(&item->shown, path);
	if (!npyio_text_ok(&item->path) || !npyio_text_ok(&item->shown))
		item->status = tsl_no_memory(&item->err);
}

/* A file that is written to has many names. */
static void
identify_file(struct item *item, const char *path)
{
	struct stat st;
	uint64_t id[2];

	if (stat(npyio_input_file(path), &st) != 0) {
		item->key = item->share = name_set_key(path, strlen(path));
		return;
	}
	id[0] = st.st_ino;
	id[1] = st.st_dev;
	item->key = name_set_key((const char *)id, sizeof(id));
	/* A device may have another number on each host. */
	item->share = name_set_key((const char *)id, sizeof(*id));
}

/* As every member has it, so that two are told apart. */
static enum tsl_status
add_suffix(struct npyio_text *name, struct tsl_error *err)
{
	size_t n = strlen(MEMBER);

	if (name->len < n || strcmp(name->s + name->len - n, MEMBER) != 0)
		npyio_text_puts(name, MEMBER);
	return npyio_text_ok(name) ? TSL_OK : tsl_no_memory(err);
}

static void
name_result(const struct names *s, struct item *item, const char *path,
	    const char *member, int len)
{
	if (item->status)
		return;
	if (npyio_input_is_stdin(item->path.s))
		item->status = tsl_fail(&item->err, TSL_EUSAGE,
					"many inputs are files: '-' is none");
	else if (s->options.in_place)
		identify_file(item, path);
	else
		item->status = result_name(&item->name, path, member, len,
					   s->options.parents, s->options.raw,
					   &item->err);
	if (!item->status && s->options.members)
		item->status = add_suffix(&item->name, &item->err);
	if (!item->status && !s->options.in_place)
		item->key = item->share =
			name_set_key(item->name.s, item->name.len);
}

static void
next_member(struct names *s, struct item *item)
{
	struct names_archive *a = s->archive;
	int64_t i = s->member++;
	bool is_first;
	int len;
	const char *name = npyio_archive_name(a->archive, i, &len);

	begin_item(s, item, s->archive_path);
	npyio_text_puts(&item->path, ":");
	npyio_text_add(&item->path, name, (size_t)len);
	npyio_text_puts(&item->shown, ":");
	npyio_text_add(&item->shown, name, (size_t)len);
	if (!npyio_text_ok(&item->path) || !npyio_text_ok(&item->shown))
		item->status = tsl_no_memory(&item->err);
	if (!item->status)
		item->status = npyio_archive_check_name(a->archive, i,
							&is_first, &item->err);
	name_result(s, item, s->archive_path, name, len);
	item->archive = a;
	item->member = i;
	a->users++;
}

enum tsl_status
names_next(struct names *s, struct item *item, bool *more,
	   struct tsl_error *err)
{
	enum tsl_status status = TSL_OK;
	const char *path;

	for (*more = true;;) {
		if (s->archive &&
		    s->member < npyio_archive_count(s->archive->archive)) {
			next_member(s, item);
			return TSL_OK;
		}
		leave_archive(s);
		status = next_path(s, &path, err);
		*more = !status && path;
		if (!*more)
			return status;
		begin_item(s, item, path);
		if (item->status || !enter_archive(s, item))
			break;
		s->number--;
	}
	name_result(s, item, path, NULL, 0);
	return TSL_OK;
}

void
names_close(struct names *s)
{
	if (!s)
		return;
	leave_archive(s);
	if (s->list && s->list != stdin)
		fclose(s->list);
	free(s->line);
	free(s);
}
