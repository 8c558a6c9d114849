/*
 * verbose.c - what is done and how, on standard error, for who asks with -v
 */
#include "verbose.h"

#include "cli/operand/explain.h"
#include "cli/option/device.h"
#include "cli/report/message.h"
#include "memory.h"
#include "npyio/input/reader_remote.h"
#include "npyio/transfer/common/lanes.h"
#include "npyio/transfer/reflink.h"

#include <inttypes.h>
#include <stdio.h>

static bool
is_noted(const struct common_options *co)
{
	return co->verbose && !co->quiet;
}

static void
note_unused(const char *why)
{
	message_note("%s: the device is not used", why);
}

static void
note_device(const struct common_options *co, const struct npyio_transfer *t)
{
	message_note("device %s, at most %d thread%s, %" PRId64
		     " bytes of working memory%s",
		     t->backend ? t->backend->name : "cpu", co->threads,
		     co->threads == 1 ? "" : "s", t->max_memory,
		     memory_is_scarce(co, t->max_memory)
			     ? ", for the system allows little"
			     : "");
	if (t->backend)
		message_note("%s: %s", t->backend->name, device_description());
	if (t->backend && !npyio_has_lanes(t))
		note_unused(npyio_why_no_lanes(t));
	if (!t->backend && device_is_gpu(co->device))
		note_unused("written in place");
}

void
verbose_plan(const struct common_options *co, const struct npyio_transfer *t)
{
	const struct tsl_job *job = t->job;

	if (!is_noted(co))
		return;
	if (job->is_bare)
		message_note("%s: put together; writes %" PRId64 " bytes",
			     job->op->name, job->nbytes);
	else
		message_note("%s: %s; reads %" PRId64 " of %" PRId64
			     " bytes, writes %" PRId64,
			     job->op->name, tsl_pattern_name(job->pattern),
			     explain_read(job), tsl_array_nbytes(&job->in),
			     job->nbytes);
	note_device(co, t);
}

void
verbose_share(const struct common_options *co, int64_t ranges, int64_t nbytes)
{
	if (is_noted(co))
		message_note("%" PRId64 " of these bytes are this process's, "
			     "in %" PRId64 " piece%s",
			     nbytes, ranges, ranges == 1 ? "" : "s");
}

void
verbose_in_place(const struct common_options *co,
		 const struct npyio_transfer *t, int64_t nbytes)
{
	if (!is_noted(co))
		return;
	message_note("%s: writes %" PRId64 " of %" PRId64 " bytes in place",
		     t->job->op->name, nbytes, t->job->nbytes);
	note_device(co, t);
}

void
verbose_text(const struct common_options *co, int64_t rows, int64_t columns,
	     int threads, bool twice)
{
	if (is_noted(co))
		message_note("%" PRId64 " row%s of %" PRId64 " cell%s, "
			     "by %d thread%s%s",
			     rows, rows == 1 ? "" : "s", columns,
			     columns == 1 ? "" : "s", threads,
			     threads == 1 ? "" : "s",
			     twice ? ", gone through twice" : "");
}

void
verbose_shared(const struct common_options *co, const struct npyio_transfer *t,
	       int64_t shared)
{
	const struct tsl_job *job = t->job;

	if (!is_noted(co))
		return;
	if (shared > 0)
		message_note("%" PRId64 " bytes are shared with %s, not copied",
			     shared,
			     t->ninputs > 1 && job->op->road == TSL_ROAD_CONCAT
				     ? "the inputs"
				     : npyio_reader_name(t->in[0]));
	else if (!job->is_bare && npyio_is_painted(job))
		message_note("%s was copied: its blocks could not be shared",
			     npyio_reader_name(t->in[0]));
	if (shared > 0 && npyio_has_lanes(t))
		note_unused("written over what is shared");
}

static void
note_traffic(const struct npyio_reader *in, const struct npyio_traffic *t)
{
	char size[32] = "an unknown number of";

	if (t->size >= 0)
		snprintf(size, sizeof(size), "%" PRId64, t->size);
	message_note("%s: %" PRId64 " of %s bytes came in %" PRId64
		     " request%s%s",
		     npyio_reader_name(in), t->arrived, size, t->asked,
		     t->asked == 1 ? "" : "s",
		     t->whole ? "; the server knows no ranges, and was read as "
				"a stream"
			      : "");
	if (t->again > 0)
		message_note("%s: %" PRId64 " of these were tried again",
			     npyio_reader_name(in), t->again);
}

void
verbose_spools(const struct common_options *co, const struct inputs *inputs)
{
	struct npyio_traffic traffic;

	for (int i = 0; i < inputs->n && is_noted(co); i++)
		if (npyio_reader_traffic(inputs->in[i], &traffic))
			note_traffic(inputs->in[i], &traffic);
	for (int i = 0; i < inputs->n && is_noted(co); i++)
		if (npyio_reader_is_spooled(inputs->in[i]))
			message_note("%s went through a temporary file: it is "
				     "not read in the order it arrives",
				     npyio_reader_name(inputs->in[i]));
}

void
note_form(const struct common_options *co)
{
	if (co->json && !co->quiet)
		message_note("--json is the form of facts and errors; "
			     "--print=json shows the elements so");
}
