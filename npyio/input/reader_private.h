/*
 * reader_private.h - a reader, as its own sources see it
 */
#ifndef NPYIO_READER_PRIVATE_H
#define NPYIO_READER_PRIVATE_H

#include "archive.h"
#include "file_header.h"
#include "idle_file.h"
#include "lib/base/array.h"
#include "source.h"
#include "stream_buffer.h"

struct npyio_reader {
	const char *name;
	const char *file; /* that was opened by its name; or NULL */
	char *file_new; /* it, where it is the reader's; or NULL */
	struct npyio_source source;
	int64_t data_offset; /* in the source */
	int64_t nbytes; /* of data */
	struct tsl_array array;
	char *descr;
	struct tsl_field *field; /* that the array is; NULL: it is whole */
	char *field_descr;
	struct npyio_idle_file idle;
	enum npyio_behind behind;
	bool is_raw; /* it has no header */
	bool is_last; /* it says nothing of what follows */
	bool is_member; /* of an archive: */
	struct npyio_member member;
	struct npyio_shared_descriptor *shared; /* its file; or NULL */
	bool is_brought; /* what will be looked at, of a remote file */

	int64_t taken; /* of a stream's data */
	bool finished; /* standard input is where it is to be left */
	struct npyio_stream_buffer buffer; /* of them, from the first on */
	struct npyio_reader *ordered; /* has the data as wanted; or NULL */
	char *ordered_descr;
	bool is_laid; /* in an order of one job's own */
};

/*
 * npyio_reader_open_remote() has the bytes come from a URL.  Returns what
 * npyio_remote_open() does.
 */
enum tsl_status TSL_MUST_USE npyio_reader_open_remote(struct npyio_reader *r,
						      const char *url,
						      struct tsl_error *err);

/*
 * npyio_reader_read_raw() is for an array without a header, whose name begins
 * with raw:.  It opens the file; of a stream that tells by its end how much
 * there is, all is kept, in memory if there is 'room' for it.
 */
enum tsl_status TSL_MUST_USE npyio_reader_read_raw(struct npyio_reader *r,
						   const char *name,
						   int64_t room,
						   struct tsl_error *err);

/* npyio_reader_drop_field() frees what was selected, if anything. */
void npyio_reader_drop_field(struct npyio_reader *r);

#endif /* NPYIO_READER_PRIVATE_H */
