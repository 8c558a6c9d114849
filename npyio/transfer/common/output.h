/*
 * output.h - a transfer under way, as those see it who make its pieces
 */
#ifndef NPYIO_OUTPUT_H
#define NPYIO_OUTPUT_H

#include "lib/base/byte_order.h"
#include "npyio/file/share.h"
#include "npyio/format/header.h"
#include "request.h"

struct npyio_updates; /* updates.h */

struct npyio_output {
	const struct npyio_transfer *t;
	struct npyio_text header; /* goes out in front of the first byte */
	struct tsl_turner turner; /* what bytes that are put go through */
	struct npyio_share share; /* what is written */
	int64_t room; /* bytes of memory to use */
	const struct npyio_updates *updates; /* to paint boxes with; or NULL */
};

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
 * npyio_room_left() is how much memory there is to use, given what is kept of
 * streams.
 */
int64_t npyio_room_left(const struct npyio_transfer *t);

/*
 * npyio_room_to_map() is how many bytes of files may be mapped at once, where
 * places are random, by who has 'room' for all that is memory;
 * npyio_room_beside() is what is left of that when so many are.
 */
int64_t npyio_room_to_map(const struct npyio_transfer *t, int64_t room);
int64_t npyio_room_beside(const struct npyio_transfer *t, int64_t room,
			  int64_t mapped);

/*
 * npyio_output_begin() makes the header; npyio_output_end() is due in any case.
 * npyio_output_reserve() has the writer reserve room for what of output bytes
 * [first, first + n) it is to write.
 *
 * Return TSL_OK; TSL_ETOO_LARGE, TSL_EMEMORY; what npyio_writer_reserve()
 * does.
 */
enum tsl_status TSL_MUST_USE npyio_output_begin(struct npyio_output *out,
						const struct npyio_transfer *t,
						struct tsl_error *err);
enum tsl_status TSL_MUST_USE
npyio_output_reserve(const struct npyio_output *out, int64_t first, int64_t n,
		     struct tsl_error *err);
void npyio_output_end(struct npyio_output *out);

/*
 * npyio_is_turned() says that elements are put in another byte order than they
 * are made in.  Then pieces that are put must be of whole elements:
 * npyio_whole_elements() makes the bytes of a piece so many, one at least.
 */
bool npyio_is_turned(const struct npyio_output *out);
int64_t npyio_whole_elements(const struct npyio_output *out, int64_t n);

/*
 * npyio_put() writes output bytes [first, first + n), but for those that are
 * another's.  In front of byte 0 of the output there must be room for the
 * header.  'bytes' may be changed by it.
 */
enum tsl_status TSL_MUST_USE npyio_put(const struct npyio_output *out,
				       char *bytes, int64_t first, int64_t n,
				       struct tsl_error *err);

/*
 * npyio_pass() has the kernel copy output bytes [first, first + n), which stand
 * in 'in' from 'lo' on as they are, to where they belong, and stores whether it
 * could; if not they are to be put.
 */
enum tsl_status TSL_MUST_USE npyio_pass(const struct npyio_output *out,
					const struct npyio_reader *in,
					int64_t lo, int64_t first, int64_t n,
					bool *passed, struct tsl_error *err);

/* npyio_is_ours() says whether any of these bytes is to be written. */
bool npyio_is_ours(const struct npyio_output *out, int64_t first, int64_t n);

#endif /* NPYIO_OUTPUT_H */
