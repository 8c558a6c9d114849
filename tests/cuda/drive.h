/*
 * drive.h - a lane driven by hand, as a transfer would: for tests
 */
#ifndef TESTS_CUDA_DRIVE_H
#define TESTS_CUDA_DRIVE_H

#include "cuda/backend_cuda.h"
#include "lib/op/gather_nd.h"
#include "lib/op/set_diag.h"
#include "lib/op/slice.h"
#include "lib/view/walk.h"

#include <stdlib.h>
#include <string.h>

/* A part of the input that is fed at once. */
struct part {
	int64_t lo, hi;
	bool elsewhere; /* not in memory of input() */
};

static inline enum tsl_status
drive_part(const struct tsl_backend *b, struct tsl_lane *lane,
	   const struct part *p, const char *in, struct tsl_error *err)
{
	char *bytes;
	enum tsl_status status;

	if (p->elsewhere)
		return b->feed(lane, in + p->lo, p->lo, p->hi, err);
	status = b->input(lane, &bytes, err);
	if (status)
		return status;
	memcpy(bytes, in + p->lo, (size_t)(p->hi - p->lo));
	return b->feed(lane, bytes, p->lo, p->hi, err);
}

/* One block of a job, all of whose input is at 'in', from its parts. */
static inline enum tsl_status
drive_block(const struct tsl_backend *b, struct tsl_lane *lane,
	    const struct tsl_block *block, const struct part *part, int nparts,
	    const char *in, char *dst, struct tsl_error *err)
{
	enum tsl_status status = b->begin(lane, block, err);

	for (int i = 0; i < nparts && !status; i++)
		status = drive_part(b, lane, &part[i], in, err);
	if (!status)
		status = b->end(lane, dst, err);
	return status;
}

/* The same in a lane of its own, exactly as large as needed. */
static inline enum tsl_status
drive_alone(const struct tsl_backend *b, const struct tsl_job *job,
	    const struct tsl_block *block, const struct part *part, int nparts,
	    const char *in, char *dst, struct tsl_error *err)
{
	struct tsl_lane_sizes sizes = { 0, block->n, block->side_nbytes };
	struct tsl_lane *lane;
	enum tsl_status status;

	for (int i = 0; i < nparts; i++)
		if (part[i].hi - part[i].lo > sizes.in)
			sizes.in = part[i].hi - part[i].lo;
	status = b->open(&lane, b, job, &sizes, err);
	if (status)
		return status;
	status = drive_block(b, lane, block, part, nparts, in, dst, err);
	b->close(lane);
	return status;
}

#endif /* TESTS_CUDA_DRIVE_H */
