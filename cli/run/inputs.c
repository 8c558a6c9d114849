/*
 * inputs.c - the arrays that a command reads
 */
#include "inputs.h"

#include "cli/option/hint.h"
#include "memory.h"
#include "npyio/input/input_name.h"
#include "npyio/input/reader_field.h"
#include "progress.h"

#include <stdlib.h>
#include <string.h>

/*
 * A second array can be read from the same stream only when the first is out
 * of the way: all of it is kept.
 */
static enum tsl_status
keep(const struct common_options *co, struct npyio_reader *first,
     struct tsl_error *err)
{
	int64_t nbytes = tsl_array_extent(npyio_reader_array(first));
	enum tsl_status status = npyio_reader_buffer(
		first, nbytes, memory_for(co, nbytes) / 4, err);

	return status ? status : npyio_reader_finish(first, err);
}

/* Before input i: those before it have been seen to in the same way. */
enum tsl_status
inputs_make_way(const struct inputs *inputs, const struct common_options *co,
		const char *const *paths, int i, struct tsl_error *err)
{
	int last = i - 1;

	while (last >= 0 && !npyio_input_is_stdin(paths[last]))
		last--;
	if (last < 0 || !npyio_input_is_stdin(paths[i]))
		return TSL_OK;
	return keep(co, inputs->in[last], err);
}

enum tsl_status
inputs_open_one(struct npyio_reader **in_new, const char *path,
		const struct npyio_reader_options *as, struct tsl_error *err)
{
	enum tsl_status status = npyio_reader_open_as(in_new, path, as, err);

	if (status) {
		hint_emptied(err, path);
		hint_joined(err, path);
		hint_member(err, path);
	}
	return status;
}

enum tsl_status
inputs_select(struct npyio_reader *in, const struct common_options *co,
	      struct tsl_error *err)
{
	return co->field ? npyio_reader_select_field(in, co->field, err)
			 : TSL_OK;
}

enum tsl_status
inputs_open(struct inputs *inputs, const struct common_options *co,
	    const char *const *paths, int n, const char *text,
	    struct tsl_error *err)
{
	struct npyio_archive *archive = NULL;
	struct npyio_reader_options as = {
		.text_behind = text && npyio_input_is_stdin(text),
		.archive = &archive,
	};
	enum tsl_status status = TSL_OK;

	*inputs = (struct inputs){ .drain = !co->no_drain };
	if (n == 0)
		return TSL_OK;
	inputs->in = calloc((size_t)n, sizeof(*inputs->in));
	if (!inputs->in)
		return tsl_no_memory(err);
	inputs->n = n;
	/* Already the opening may have to wait. */
	progress_wait(co);
	for (int i = 0; i < n && !status; i++) {
		as.room = memory_for_stream(co, paths[i]);
		status = inputs_make_way(inputs, co, paths, i, err);
		if (!status)
			status = inputs_open_one(&inputs->in[i], paths[i], &as,
						 err);
		/* The others are what goes there, or says where. */
		if (!status && (i == 0 || co->every_field))
			status = inputs_select(inputs->in[i], co, err);
	}
	npyio_archive_close(archive);
	return status;
}

enum tsl_status
inputs_add(struct inputs *inputs, struct npyio_reader *in,
	   struct tsl_error *err)
{
	size_t n = (size_t)inputs->n;
	struct npyio_reader **more =
		realloc(inputs->in, (n + 1) * sizeof(*inputs->in));

	if (!more) {
		npyio_reader_close(in);
		return tsl_no_memory(err);
	}
	inputs->in = more;
	inputs->in[inputs->n++] = in;
	return TSL_OK;
}

/* Data that was refused has been taken all the same. */
static void
take_refused(const struct inputs *inputs)
{
	for (int i = 0; i < inputs->n; i++)
		if (inputs->in[i] && npyio_reader_finish(inputs->in[i], NULL))
			return;
}

void
inputs_close(struct inputs *inputs, enum tsl_status status)
{
	progress_end();
	if (tsl_status_exit(status) == 3 && inputs->drain)
		take_refused(inputs);
	for (int i = 0; i < inputs->n; i++)
		npyio_reader_close(inputs->in[i]);
	free(inputs->in);
}

void
inputs_blame(const struct inputs *inputs, enum tsl_status status,
	     struct tsl_error *err)
{
	if (status && !err->subject && err->item >= 0 && err->item < inputs->n)
		err->subject = npyio_reader_name(inputs->in[err->item]);
}

bool
inputs_are_same(const struct inputs *inputs, int i, int j)
{
	struct stat a, b;

	return npyio_reader_stat(inputs->in[i], &a) &&
	       npyio_reader_stat(inputs->in[j], &b) && S_ISREG(a.st_mode) &&
	       a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

const struct tsl_array *
inputs_array(const struct inputs *inputs, int i)
{
	return npyio_reader_array(inputs->in[i]);
}

enum tsl_status
inputs_finish(const struct inputs *inputs, struct tsl_error *err)
{
	enum tsl_status status = TSL_OK;

	for (int i = 0; i < inputs->n && !status; i++) {
		status = npyio_reader_check(inputs->in[i], inputs->drain, err);
		if (!status && inputs->drain &&
		    !npyio_reader_is_stream(inputs->in[i]))
			status = npyio_reader_finish(inputs->in[i], err);
	}
	return status;
}

enum tsl_status
inputs_drain(const struct inputs *inputs, struct tsl_error *err)
{
	enum tsl_status status = TSL_OK;

	for (int i = 0; i < inputs->n && !status && inputs->drain; i++)
		status = npyio_reader_finish(inputs->in[i], err);
	return status;
}
