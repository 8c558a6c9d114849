/*
 * request.h - what a transfer is asked to do; see transfer.h
 */
#ifndef NPYIO_REQUEST_H
#define NPYIO_REQUEST_H

#include "lib/op/backend.h"
#include "npyio/input/reader.h"
#include "npyio/output/writer.h"

/*
 * What one of several makes who write one output together, by position; see
 * npyio/file/share.h.
 */
struct npyio_portion {
	int index, count; /* 0 of 0 is all, as 0 of 1 */
	bool in_blocks; /* one run of the file; else what suits the job */
	bool (*is_off)(void); /* the others have given up; may be NULL */
};

struct npyio_transfer {
	const struct tsl_job *job;
	struct npyio_reader *const *in; /* the job's inputs */
	int ninputs;
	struct npyio_writer *out;
	const struct tsl_backend *backend; /* NULL: the processor */
	int threads; /* at most; fewer where they would not pay */
	int64_t max_memory; /* bytes, NPYIO_MIN_MEMORY or more */
	/*
	 * Bytes of a file that may be mapped besides, where places are random;
	 * 0: all that is mapped counts as memory.
	 */
	int64_t max_mapped;
	void (*progress)(int64_t nbytes); /* that much more is written */
	bool headless; /* the data alone are written */
	bool unturned; /* job->as is for who makes something of the output */
	struct npyio_portion portion;
	int64_t *shared; /* see reflink.h: grows by so many bytes; or NULL */
};

#define NPYIO_MIN_MEMORY ((int64_t)1024 * 1024)

#endif /* NPYIO_REQUEST_H */
