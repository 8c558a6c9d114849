/*
 * slice_operand.c - a slice as a command line gives it
 */
#include "slice_operand.h"

#include "cli/option/hint.h"
#include "cli/report/message.h"
#include "encoding_json.h"
#include "npyio/file/fd.h"
#include "npyio/input/input_name.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* An encoding is a few hundred bytes; what is larger is something else. */
#define MAX_FILE (1024 * 1024)

/* ---- the command line ---------------------------------------------------- */

static bool
any(const char *const *values, int n)
{
	for (int i = 0; i < n; i++)
		if (values[i])
			return true;
	return false;
}

int
slice_operand_check(const struct slice_operand *s)
{
	bool vectors =
		any(s->list, VECTORS_LISTS) || any(s->mask, VECTORS_MASKS);

	if (vectors && s->file)
		return message_usage("--encoding does not go with other "
				     "vectors and masks");
	if (vectors && !(s->list[VECTORS_BEGIN] && s->list[VECTORS_END]))
		return message_usage("vectors need both --begin and --end");
	return 0;
}

int
slice_operand_check_stdin(const struct slice_operand *s, const char *path)
{
	if (s->file && strcmp(s->file, "-") == 0 && npyio_input_is_stdin(path))
		return message_usage("the input and its encoding cannot both "
				     "be standard input");
	return 0;
}

bool
slice_operand_is_text(const struct slice_operand *s)
{
	return !s->list[VECTORS_BEGIN] && !s->file;
}

int
slice_operand_too_many(const struct opt *table, char *const *operands, int n,
		       const char *surplus, const char *why)
{
	struct tsl_error err;

	tsl_fail(&err, TSL_EUSAGE, "unexpected operand '%.80s'%s%s", surplus,
		 why ? ": " : "", why ? why : "");
	hint_value(&err, table, surplus);
	hint_surplus(&err, operands, n, surplus);
	hint_globbed(&err, surplus);
	return message_error(&err, NULL);
}

/* ---- compiling ----------------------------------------------------------- */

static enum tsl_status
compile_text(struct slice_operand *s, struct tsl_error *err)
{
	enum tsl_status status =
		tsl_parse(&s->spec, s->text, strlen(s->text), err);

	if (status)
		hint_slice(err, s->text);
	return status ? status : tsl_encode(&s->encoding, &s->spec, err);
}

static enum tsl_status
set_vectors(struct vectors *v, const struct slice_operand *s,
	    struct tsl_error *err)
{
	enum tsl_status status = TSL_OK;

	for (int i = 0; i < VECTORS_LISTS && !status; i++)
		if (s->list[i])
			status = vectors_set_list(v, (enum vectors_list)i,
						  s->list[i], err);
	for (int i = 0; i < VECTORS_MASKS && !status; i++)
		if (s->mask[i])
			status = vectors_set_mask(v, (enum vectors_mask)i,
						  s->mask[i], err);
	return status;
}

/* All of a file, "-" for standard input, which the caller frees. */
static enum tsl_status
read_file(const char *path, char **text_new, size_t *len, struct tsl_error *err)
{
	int fd = strcmp(path, "-") == 0 ? STDIN_FILENO
					: open(path, O_RDONLY | O_CLOEXEC);
	enum tsl_status status;

	*text_new = NULL;
	if (fd < 0) {
		status = npyio_fail_sys(err, "cannot open");
	} else if (!(*text_new = malloc(MAX_FILE))) {
		status = tsl_no_memory(err);
	} else {
		status = npyio_fd_read(fd, *text_new, MAX_FILE, len, err);
		if (!status && *len == MAX_FILE)
			status = tsl_fail(err, TSL_ESYNTAX,
					  "too large for an encoding");
	}
	if (fd > STDERR_FILENO)
		close(fd);
	return status;
}

static enum tsl_status
read_vectors(struct vectors *v, const char *path, struct tsl_error *err)
{
	char *text;
	size_t len;
	enum tsl_status status = read_file(path, &text, &len, err);

	if (!status)
		status = json_read_vectors(v, text, len, err);
	free(text);
	return status;
}

enum tsl_status
slice_operand_compile(struct slice_operand *s, struct tsl_error *err)
{
	struct vectors v;
	enum tsl_status status;

	if (s->text)
		return compile_text(s, err);
	vectors_init(&v);
	status = s->file ? read_vectors(&v, s->file, err)
			 : set_vectors(&v, s, err);
	if (!status)
		status = vectors_encode(&s->encoding, &v, err);
	if (status && s->file)
		err->subject = s->file;
	vectors_free(&v);
	return status;
}

enum tsl_status
slice_operand_resolve(const struct slice_operand *s, struct tsl_selection *sel,
		      const struct tsl_shape *shape, struct tsl_error *err)
{
	enum tsl_status status = tsl_resolve(sel, &s->encoding, shape, err);

	if (status && s->text)
		tsl_spec_locate(&s->spec, err);
	return status;
}

enum tsl_status
slice_operand_select(const struct slice_operand *s, struct tsl_selection *sel,
		     const struct tsl_array *a, const char *name,
		     struct tsl_error *err)
{
	struct tsl_shape shape = tsl_shape_of(a);
	enum tsl_status status = slice_operand_resolve(s, sel, &shape, err);

	return tsl_about(status, name, err);
}
