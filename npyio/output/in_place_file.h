/*
 * in_place_file.h - a file in which single places are written, and nothing else
 *
 * Between two places that are written lies what others may be writing at the
 * same time: no byte of it is written, not even with the value that it has.
 * Long runs are put by system calls, places close together through a mapping.
 *
 * Offsets are in BYTES from the first byte of the array's data.
 */
#ifndef NPYIO_IN_PLACE_FILE_H
#define NPYIO_IN_PLACE_FILE_H

#include "npyio/file/window.h"
#include "npyio/input/reader.h"

#include <stdatomic.h>

struct npyio_in_place_file {
	const char *name;
	int fd; /* open for reading, too: a mapping needs that */
	int64_t offset; /* in the file, of the data */
	atomic_bool *touched; /* set before the first byte; NULL is allowed */
};

/*
 * npyio_in_place_file_open() opens the file that 'in' reads, which must be a
 * regular file under the name 'path', to be written in place; 'touched', which
 * is false and outlives the target, or NULL, becomes true when it is written
 * to.
 *
 * Returns TSL_OK; TSL_EIO with the path as the error's subject.
 */
enum tsl_status TSL_MUST_USE
npyio_in_place_file_open(struct npyio_in_place_file *target, const char *path,
			 const struct npyio_reader *in, atomic_bool *touched,
			 struct tsl_error *err);

/*
 * npyio_in_place_file_close() closes it; 'sync': what was written is on the
 * disk before.  What an earlier write could not be told about may show only
 * now.
 */
enum tsl_status TSL_MUST_USE npyio_in_place_file_close(
	struct npyio_in_place_file *target, bool sync, struct tsl_error *err);

/* One thread's way to a target, which must outlive it. */
struct npyio_in_place_writer {
	const struct npyio_in_place_file *target;
	struct npyio_window window;
};

void npyio_in_place_writer_init(struct npyio_in_place_writer *b,
				const struct npyio_in_place_file *target);
void npyio_in_place_writer_close(struct npyio_in_place_writer *b);

/* npyio_in_place_writer_put() writes n bytes at 'offset'. */
enum tsl_status TSL_MUST_USE npyio_in_place_writer_put(
	const struct npyio_in_place_writer *b, const char *bytes, int64_t n,
	int64_t offset, struct tsl_error *err);

/*
 * npyio_in_place_writer_look() maps bytes [lo, hi) and returns them, to be
 * written to in about 'n' places, until the next look; NULL where that cannot
 * be had.
 */
char *npyio_in_place_writer_look(struct npyio_in_place_writer *b, int64_t lo,
				 int64_t hi, int64_t n);

#endif /* NPYIO_IN_PLACE_FILE_H */
