/*
 * prepare.c - what can be wrong with a job's data, before a byte is written
 */
#include "prepare.h"

#include "npyio/transfer/box/whole_member.h"
#include "npyio/transfer/common/download.h"
#include "npyio/transfer/common/output.h"
#include "npyio/transfer/concat/concat.h"
#include "npyio/transfer/place/download_rows.h"
#include "npyio/transfer/place/scatter.h"
#include "npyio/transfer/place/tuples.h"
#include "operands.h"
#include "verify_crc.h"

/* Less memory than this is for other things. */
#define MIN_ROOM_FOR_AHEAD ((int64_t)16 * 1024 * 1024)

/* One thread is left for what is done with the bytes. */
void
npyio_read_ahead(const struct npyio_transfer *t)
{
	int threads = t->max_memory < MIN_ROOM_FOR_AHEAD ? 1 : t->threads;

	for (int i = 0; i < t->ninputs && threads > 1; i++)
		threads -= npyio_reader_read_ahead(t->in[i]);
}

enum tsl_status
npyio_prepare(const struct npyio_transfer *t, struct tsl_error *err)
{
	enum tsl_status status = npyio_download(t, err);

	if (!status && !npyio_is_whole_member(t))
		status = npyio_verify_crc(t, err);
	if (!status && t->job->op->road == TSL_ROAD_CONCAT)
		return npyio_concat_keep(t, t->portion.count <= 1, err);
	npyio_read_ahead(t);
	if (!status)
		status = npyio_keep_operands(t, err);
	if (!status && t->job->op->road == TSL_ROAD_RUNS)
		status = npyio_download_rows(t, err);
	if (status || t->job->op->road != TSL_ROAD_SCATTER)
		return status;
	return npyio_scatter_check(t, npyio_room_left(t), err);
}

enum tsl_status
npyio_prepare_empty(const struct npyio_transfer *t, struct tsl_error *err)
{
	const struct tsl_gather_job *g =
		(const struct tsl_gather_job *)(const void *)t->job;
	struct npyio_tuples tuples;
	enum tsl_status status = npyio_download(t, err);

	if (!status)
		status = npyio_verify_crc(t, err);
	if (status)
		return status;
	if (!tsl_job_has_tuples(t->job))
		return TSL_OK;
	status = npyio_keep_operands(t, err);
	if (status)
		return status;
	if (t->job->op->road == TSL_ROAD_SCATTER)
		return npyio_scatter_check(t, npyio_room_left(t), err);
	if (g->options.zero_bad)
		return TSL_OK;
	status = npyio_tuples_init(&tuples, g, t->in[1], err);
	if (!status)
		status = npyio_tuples_rows(&tuples, 0, g->ntuples, NULL, err);
	npyio_tuples_close(&tuples);
	return status;
}
