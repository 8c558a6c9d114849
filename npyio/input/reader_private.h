/*
 * reader_private.h - what a reader knows, for the sources that make it up
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
	struct npyio_source source;
	int64_t data_offset; /* in the source */
	int64_t nbytes; /* of data */
	struct tsl_array array;
	char *descr;
	struct tsl_field *field; /* that the array is; NULL: it is whole */
	char *field_descr;
	struct npyio_idle_file rest;
	enum npyio_behind behind;
	bool is_member; /* of an archive: */
	struct npyio_member member;
	struct npyio_shared_descriptor *shared; /* its file; or NULL */

	int64_t taken; /* of a stream's data */
	bool finished; /* standard input is where it is to be left */
	struct npyio_stream_buffer kept; /* of them, from the first on */
	struct npyio_reader *ordered; /* has the data as wanted; or NULL */
	char *ordered_descr;
};

/* npyio_reader_drop_field() frees what was selected, if anything. */
void npyio_reader_drop_field(struct npyio_reader *r);

#endif /* NPYIO_READER_PRIVATE_H */
