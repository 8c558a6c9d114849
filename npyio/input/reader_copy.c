/*
 * reader_copy.c - another reader of an array, for another thread
 */
#include "reader_copy.h"

#include "npyio/file/fd.h"

#include <fcntl.h>
#include <stdlib.h>

static enum tsl_status
copy_to_memory(struct npyio_stream_buffer *buffer, const struct npyio_reader *r,
	       struct tsl_error *err)
{
	buffer->memory = malloc((size_t)buffer->nbytes + 1);
	if (!buffer->memory)
		return tsl_no_memory(err);
	return npyio_reader_read(r, 0, buffer->nbytes, buffer->memory, err);
}

static enum tsl_status
share_file(struct npyio_stream_buffer *buffer, int fd, int64_t offset,
	   struct tsl_error *err)
{
	buffer->is_alone = true;
	buffer->offset = offset;
	buffer->spool = fcntl(fd, F_DUPFD_CLOEXEC, 3);
	return buffer->spool < 0 ? npyio_fail_sys(err, "cannot read") : TSL_OK;
}

enum tsl_status
npyio_reader_open_copy(struct npyio_reader **reader_new,
		       const struct npyio_reader *r, int64_t room,
		       struct tsl_error *err)
{
	const struct tsl_array *array = npyio_reader_array(r);
	struct npyio_stream_buffer buffer;
	enum tsl_status status;
	int64_t offset;
	int fd;

	*reader_new = NULL;
	npyio_stream_buffer_init(&buffer);
	buffer.nbytes = tsl_array_nbytes(array);
	status = buffer.nbytes > room && npyio_reader_file(r, &fd, &offset)
			 ? share_file(&buffer, fd, offset, err)
			 : copy_to_memory(&buffer, r, err);
	if (status) {
		npyio_stream_buffer_drop(&buffer);
		return status;
	}
	return npyio_reader_open_buffer(reader_new, npyio_reader_name(r), array,
					&buffer, err);
}
