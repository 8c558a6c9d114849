/*
 * plan.c - what several processes must agree on who make one output
 */
#include "plan.h"

#include "lib/base/minmax.h"
#include "lib/op/scatter_nd.h"
#include "npyio/file/crc.h"
#include "npyio/file/fd.h"
#include "npyio/format/header.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* What options and the device make of tuples that name no place. */
static bool
leaves_bad(const struct tsl_job *job)
{
	if (job->op->road == TSL_ROAD_RUNS)
		return ((const struct tsl_gather_job *)(const void *)job)
			->options.zero_bad;
	if (job->op->road == TSL_ROAD_SCATTER)
		return ((const struct tsl_scatter_job *)(const void *)job)
			->options.skip_bad;
	return false;
}

/* Of thousands of diagonals the first ones, and the options, say it all. */
#define MAX_LAYERS 16

#define BUFFER 16384

static uint32_t
crc_of_view(uint32_t crc, const struct tsl_view *v)
{
	size_t n = (size_t)v->ndim;

	crc = npyio_crc(crc, &v->width, sizeof(v->width));
	crc = npyio_crc(crc, &v->offset, sizeof(v->offset));
	crc = npyio_crc(crc, v->dim, n * sizeof(v->dim[0]));
	return npyio_crc(crc, v->stride, n * sizeof(v->stride[0]));
}

static uint32_t
crc_of_job(const struct tsl_job *job)
{
	uint32_t crc = crc_of_view(0, &job->view);
	int64_t most = tsl_min(job->nlayers, MAX_LAYERS);
	bool bad = leaves_bad(job);

	crc = npyio_crc(crc, &bad, sizeof(bad));
	if (job->fill)
		crc = npyio_crc(crc, job->fill, (size_t)tsl_job_fill_size(job));
	for (int64_t i = 0; job->op->layer && i < most; i++) {
		struct tsl_pair pair;
		int input = job->op->layer(job, i, &pair);

		crc = npyio_crc(crc, &input, sizeof(input));
		crc = crc_of_view(crc, &pair.from);
		crc = crc_of_view(crc, &pair.to);
	}
	return crc;
}

static enum tsl_status
add_output(struct npyio_text *plan, const struct tsl_job *job,
	   struct tsl_error *err)
{
	struct tsl_array out = tsl_job_written(job);
	struct npyio_text header = { 0 };
	enum tsl_status status = npyio_header_format(&header, &out, err);

	if (!status)
		npyio_text_printf(plan,
				  "result: %" PRId64
				  " bytes, header %zu bytes, %08" PRIx32 "\n"
				  "work: %s %08" PRIx32 "\n",
				  job->nbytes, header.len,
				  npyio_crc(0, header.s, header.len),
				  job->op->name, crc_of_job(job));
	npyio_text_free(&header);
	return status;
}

/* Of what was read before, and may lie in a temporary file. */
static enum tsl_status
crc_of_data(const struct npyio_reader *in, uint32_t *crc, struct tsl_error *err)
{
	int64_t left = tsl_array_extent(npyio_reader_array(in));
	char bytes[BUFFER];
	enum tsl_status status = TSL_OK;

	*crc = 0;
	for (int64_t at = 0; left > 0 && !status;) {
		int64_t n = tsl_min(left, BUFFER);

		status = npyio_reader_read(in, at, n, bytes, err);
		if (!status)
			*crc = npyio_crc(*crc, bytes, (size_t)n);
		at += n;
		left -= n;
	}
	return status;
}

/* Its last component, on one line. */
static void
add_name(struct npyio_text *plan, const char *name)
{
	const char *slash = strrchr(name, '/');

	for (name = slash ? slash + 1 : name; *name; name++)
		npyio_text_printf(plan, "%c",
				  (unsigned char)*name < ' ' ? '?' : *name);
}

/* Two files may be alike in size and last change, after cp -p. */
static void
add_file(struct npyio_text *plan, const struct npyio_reader *in,
	 const struct stat *st)
{
	npyio_text_printf(plan,
			  "in %" PRId64 " from %" PRId64 " on, changed %" PRId64
			  ".%09ld, inode %ju since %" PRId64 ".%09ld, ",
			  (int64_t)st->st_size, npyio_reader_data_offset(in),
			  (int64_t)st->st_mtim.tv_sec, st->st_mtim.tv_nsec,
			  (uintmax_t)st->st_ino, (int64_t)st->st_ctim.tv_sec,
			  st->st_ctim.tv_nsec);
	add_name(plan, npyio_reader_name(in));
	npyio_text_printf(plan, "\n");
}

/* A file by what is known of it; what was made here by its bytes. */
static enum tsl_status
add_input(struct npyio_text *plan, int i, const struct npyio_reader *in,
	  struct tsl_error *err)
{
	int64_t nbytes = tsl_array_extent(npyio_reader_array(in));
	enum tsl_status status;
	struct stat st;
	uint32_t crc;
	bool known = npyio_reader_stat(in, &st);

	/* EBADF: it is in memory. */
	if (!known && errno != EBADF) {
		status = npyio_fail_sys(err, "cannot look at it");
		if (err)
			err->subject = npyio_reader_name(in);
		return status;
	}
	npyio_text_printf(plan, "input %d: %" PRId64 " bytes, ", i + 1, nbytes);
	if (known && S_ISREG(st.st_mode)) {
		add_file(plan, in, &st);
		return TSL_OK;
	}
	status = crc_of_data(in, &crc, err);
	npyio_text_printf(plan, "%08" PRIx32 "\n", crc);
	return status;
}

enum tsl_status
npyio_plan(struct npyio_text *plan, const struct tsl_job *job,
	   struct npyio_reader *const in[], int ninputs, struct tsl_error *err)
{
	enum tsl_status status = npyio_crc_open("work in parts", err);

	if (!status)
		status = add_output(plan, job, err);
	for (int i = 0; i < ninputs && !status; i++)
		status = add_input(plan, i, in[i], err);
	if (!status && !npyio_text_ok(plan))
		status = tsl_no_memory(err);
	return status;
}

bool
npyio_plan_compare(const char *ours, const char *theirs, char *what,
		   size_t nbytes)
{
	const char *line = ours;
	size_t i;

	for (i = 0; ours[i] && ours[i] == theirs[i]; i++)
		if (ours[i] == '\n')
			line = ours + i + 1;
	if (ours[i] == theirs[i])
		return true;
	snprintf(what, nbytes, "%.*s", (int)strcspn(line, ":\n"), line);
	return false;
}
