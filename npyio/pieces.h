/*
 * pieces.h - the two roads of a transfer; see transfer.h
 */
#ifndef NPYIO_PIECES_H
#define NPYIO_PIECES_H

#include "header.h"
#include "transfer.h"

/* A transfer under way. */
struct npyio_output {
	const struct npyio_transfer *t;
	struct npyio_text header; /* goes out in front of the first byte */
	int64_t room; /* bytes of memory to use */
};

/* npyio_write_boxes() is for a job that is a view. */
enum tsl_status TSL_MUST_USE npyio_write_boxes(const struct npyio_output *out,
					       struct tsl_error *err);

/*
 * npyio_splice_run() is for a job that is one run of a regular file, to a
 * pipe.
 */
enum tsl_status TSL_MUST_USE npyio_splice_run(const struct npyio_output *out,
					      struct tsl_error *err);

/* npyio_write_runs() is for a gather. */
enum tsl_status TSL_MUST_USE npyio_write_runs(const struct npyio_output *out,
					      struct tsl_error *err);

/*
 * npyio_room_to_keep() is how much of a stream that cannot be used as it comes
 * is kept in memory, rather than in a file.
 */
int64_t npyio_room_to_keep(const struct npyio_transfer *t);

/*
 * npyio_keep_input() keeps what the job needs of the input, if that is a
 * stream, where it can be read by position.
 */
enum tsl_status TSL_MUST_USE npyio_keep_input(const struct npyio_transfer *t,
					      struct tsl_error *err);

/*
 * npyio_keep_second() does so with all of indices or diagonals, and puts them
 * in C order.
 */
enum tsl_status TSL_MUST_USE npyio_keep_second(const struct npyio_transfer *t,
					       struct tsl_error *err);

/*
 * npyio_put() writes output bytes [first, first + n).  In front of byte 0 of
 * the output there must be room for the header.
 */
enum tsl_status TSL_MUST_USE npyio_put(const struct npyio_output *out,
				       char *bytes, int64_t first, int64_t n,
				       struct tsl_error *err);

#endif /* NPYIO_PIECES_H */
