/*
 * reader_copy.c - another reader of an array, for another thread
 */
#include "reader_copy.h"

#include "npyio/file/fd.h"

#include <fcntl.h>
#include <stdlib.h>

static enum tsl_status
copy_to_memory(struct npyio_stream_buffer *kept, const struct npyio_reader *r,
	       struct tsl_error *err)
{
	kept->memory = malloc((size_t)kept->nbytes + 1);
	if (!kept->memory)
		return tsl_fail(err, TSL_EMEMORY, "out of memory");
	return npyio_reader_read(r, 0, kept->nbytes, kept->memory, err);
}

static enum tsl_status
share_file(struct npyio_stream_buffer *kept, int fd, int64_t offset,
	   struct tsl_error *err)
{
	kept->is_alone = true;
	kept->offset = offset;
	kept->spool = fcntl(fd, F_DUPFD_CLOEXEC, 3);
	return kept->spool < 0 ? npyio_fail_sys(err, "cannot read") : TSL_OK;
}

enum tsl_status
npyio_reader_open_copy(struct npyio_reader **reader_new,
		       const struct npyio_reader *r, int64_t room,
		       struct tsl_error *err)
{
	const struct tsl_array *array = npyio_reader_array(r);
	struct npyio_stream_buffer kept;
	enum tsl_status status;
	int64_t offset;
	int fd;

	*reader_new = NULL;
	npyio_stream_buffer_init(&kept);
	kept.nbytes = tsl_array_nbytes(array);
	status = kept.nbytes > room && npyio_reader_file(r, &fd, &offset)
			 ? share_file(&kept, fd, offset, err)
			 : copy_to_memory(&kept, r, err);
	if (status) {
		npyio_stream_buffer_drop(&kept);
		return status;
	}
	return npyio_reader_open_kept(reader_new, npyio_reader_name(r), array,
				      &kept, err);
}
