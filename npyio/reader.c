/*
 * reader.c - one array of an .npy file or stream
 */
#include "reader.h"

#include "cleanup.h"
#include "fd.h"
#include "header.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* Most headers are 128 bytes; one read of this gets nearly all of them. */
#define FIRST_READ 4096

/* Memory for a stream's bytes is asked for in steps, as they arrive. */
#define STREAM_STEP (1024 * 1024)

struct npyio_reader {
	const char *name;
	int fd;
	bool is_stream;
	int64_t start; /* of the file's bytes that are ours */
	int64_t size; /* of the file from there on; streams: not known */
	int64_t data_offset; /* from start */
	int64_t nbytes; /* of data */
	struct tsl_array array;
	char *descr;

	int64_t taken; /* of a stream's data */
	bool finished; /* standard input is where it is to be left */
	char *memory; /* the first 'loaded' of them */
	int64_t loaded;

	void *map; /* page-aligned; NULL: none */
	size_t map_nbytes;
	int64_t map_skip; /* in the mapping, before the data */
};

static enum tsl_status
about(const struct npyio_reader *r, enum tsl_status status,
      struct tsl_error *err)
{
	if (status && err)
		err->subject = r->name;
	return status;
}

/* ---- opening ------------------------------------------------------------- */

static enum tsl_status
open_fd(struct npyio_reader *r, const char *path, struct tsl_error *err)
{
	bool standard = strcmp(path, "-") == 0;
	struct stat st;

	r->fd = standard ? STDIN_FILENO
			 : open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
	if (r->fd < 0)
		return npyio_fail_sys(err, "cannot open");
	if (fstat(r->fd, &st) != 0)
		return npyio_fail_sys(err, "cannot read");
	if (S_ISDIR(st.st_mode)) {
		errno = EISDIR;
		return npyio_fail_sys(err, "cannot read");
	}
	/* Files of /proc say that they are empty, and are not. */
	r->is_stream = !S_ISREG(st.st_mode) || st.st_size == 0;
	if (!r->is_stream)
		r->start = standard ? lseek(r->fd, 0, SEEK_CUR) : 0;
	if (r->start < 0) {
		r->is_stream = true;
		r->start = 0;
	}
	r->size = st.st_size > r->start ? st.st_size - r->start : 0;
	return TSL_OK;
}

/* The next bytes of a header: of a stream no more than are asked for. */
static enum tsl_status
take(const struct npyio_reader *r, void *buf, size_t n, int64_t offset,
     size_t *got, struct tsl_error *err)
{
	if (r->is_stream)
		return npyio_fd_read(r->fd, buf, n, got, err);
	return npyio_fd_pread(r->fd, buf, n, r->start + offset, got, err);
}

/*
 * Reads what stands before the text.  '*got' bytes were read in all; of a
 * file some of the text, and perhaps the data, is among them.
 */
static enum tsl_status
read_prefix(const struct npyio_reader *r, int64_t offset,
	    unsigned char first[FIRST_READ], size_t *got,
	    struct npyio_prefix *prefix, struct tsl_error *err)
{
	size_t more = 0;
	enum tsl_status status;

	status = take(r, first, r->is_stream ? 10 : FIRST_READ, offset, got,
		      err);
	/* Two bytes more, once it is known that the version has them. */
	if (!status && r->is_stream && *got == 10 && first[6] != 1)
		status = take(r, first + 10, 2, 0, &more, err);
	*got += more;
	if (status)
		return status;
	return npyio_prefix_parse(prefix, first, *got, err);
}

/* Reads the rest of a text of which 'have' bytes are there, in steps. */
static enum tsl_status
read_text(const struct npyio_reader *r, int64_t offset, char *text, size_t have,
	  size_t len, struct tsl_error *err)
{
	size_t got;
	enum tsl_status status;

	status = take(r, text + have, len - have, offset + (int64_t)have, &got,
		      err);
	if (!status && got < len - have)
		return tsl_fail(err, TSL_ETRUNCATED_HEADER,
				"the file ends within its header");
	return status;
}

/*
 * Reads the header at 'offset' from the start.  'array' and '*descr' are as
 * npyio_header_parse() leaves them.
 */
static enum tsl_status
read_header(const struct npyio_reader *r, int64_t offset,
	    struct tsl_array *array, char **descr, int64_t *data_offset,
	    struct tsl_error *err)
{
	unsigned char first[FIRST_READ];
	struct npyio_prefix prefix;
	enum tsl_status status;
	size_t have, len;
	char *text;

	*descr = NULL;
	status = read_prefix(r, offset, first, &have, &prefix, err);
	if (status)
		return status;
	*data_offset = prefix.text_offset + prefix.text_nbytes;
	len = (size_t)prefix.text_nbytes;
	have -= (size_t)prefix.text_offset;
	if (have >= len)
		return npyio_header_parse(array, descr, prefix.version,
					  (char *)first + prefix.text_offset,
					  len, err);
	/* At most NPYIO_MAX_HEADER, whatever the length field says. */
	text = malloc(len);
	if (!text)
		return tsl_fail(err, TSL_EMEMORY, "out of memory");
	memcpy(text, first + prefix.text_offset, have);
	status =
		read_text(r, offset + prefix.text_offset, text, have, len, err);
	if (!status)
		status = npyio_header_parse(array, descr, prefix.version, text,
					    len, err);
	free(text);
	return status;
}

/* What follows the array in a regular file: nothing, or another array. */
static enum tsl_status
check_rest(const struct npyio_reader *r, struct tsl_error *err)
{
	int64_t end = r->data_offset + r->nbytes;
	int64_t next_offset;
	struct tsl_array next;
	enum tsl_status status;
	char *descr;

	if (r->size == end)
		return TSL_OK;
	status = read_header(r, end, &next, &descr, &next_offset, NULL);
	free(descr);
	if (status == TSL_OK &&
	    r->size - end - next_offset >= tsl_array_nbytes(&next))
		return TSL_OK;
	return tsl_fail(err, TSL_ETRAILING_DATA,
			"%lld bytes follow the array, and they are not "
			"another one",
			(long long)(r->size - end));
}

static enum tsl_status
check_size(const struct npyio_reader *r, struct tsl_error *err)
{
	int64_t have = r->size - r->data_offset;

	if (have < r->nbytes)
		return tsl_fail(err, TSL_ETRUNCATED_DATA,
				"the header promises %lld bytes of data, but "
				"only %lld follow",
				(long long)r->nbytes, (long long)have);
	return check_rest(r, err);
}

static enum tsl_status
open_reader(struct npyio_reader *r, const char *path, struct tsl_error *err)
{
	enum tsl_status status = open_fd(r, path, err);

	if (!status)
		status = read_header(r, 0, &r->array, &r->descr,
				     &r->data_offset, err);
	if (status)
		return status;
	r->nbytes = tsl_array_nbytes(&r->array);
	return r->is_stream ? TSL_OK : check_size(r, err);
}

enum tsl_status
npyio_reader_open(struct npyio_reader **reader_new, const char *path,
		  struct tsl_error *err)
{
	struct npyio_reader *r = calloc(1, sizeof(*r));
	enum tsl_status status;

	*reader_new = NULL;
	if (!r)
		return tsl_fail(err, TSL_EMEMORY, "out of memory");
	r->name = strcmp(path, "-") == 0 ? "standard input" : path;
	status = about(r, open_reader(r, path, err), err);
	if (status)
		npyio_reader_close(r);
	else
		*reader_new = r;
	return status;
}

void
npyio_reader_close(struct npyio_reader *r)
{
	if (!r)
		return;
	if (r->map) {
		npyio_cleanup_unguard(r->map);
		munmap(r->map, r->map_nbytes);
	}
	if (r->fd > STDERR_FILENO)
		close(r->fd);
	free(r->memory);
	free(r->descr);
	free(r);
}

/* ---- what is known ------------------------------------------------------- */

const struct tsl_array *
npyio_reader_array(const struct npyio_reader *r)
{
	return &r->array;
}

const char *
npyio_reader_name(const struct npyio_reader *r)
{
	return r->name;
}

int64_t
npyio_reader_data_offset(const struct npyio_reader *r)
{
	return r->data_offset;
}

bool
npyio_reader_stat(const struct npyio_reader *r, struct stat *st)
{
	return fstat(r->fd, st) == 0;
}

bool
npyio_reader_is_stream(const struct npyio_reader *r)
{
	return r->is_stream;
}

/* ---- data ---------------------------------------------------------------- */

static enum tsl_status
take_data(struct npyio_reader *r, char *dst, size_t n, struct tsl_error *err)
{
	size_t got;
	enum tsl_status status = npyio_fd_read(r->fd, dst, n, &got, err);

	r->taken += (int64_t)got;
	if (!status && got < n)
		status = tsl_fail(err, TSL_ETRUNCATED_DATA,
				  "the header promises %lld bytes of data, but "
				  "the input ends after %lld",
				  (long long)r->nbytes, (long long)r->taken);
	return about(r, status, err);
}

enum tsl_status
npyio_reader_load(struct npyio_reader *r, int64_t nbytes, struct tsl_error *err)
{
	int64_t cap = r->loaded;

	while (r->loaded < nbytes) {
		int64_t n = nbytes - r->loaded;
		enum tsl_status status;

		/* What a header promises is only a claim: grow with the data.
		 */
		if (n > STREAM_STEP)
			n = STREAM_STEP;
		if (r->loaded + n > cap) {
			char *memory;

			cap = cap > nbytes / 2 ? nbytes : 2 * cap;
			if (cap < r->loaded + n)
				cap = r->loaded + n;
			memory = realloc(r->memory, (size_t)cap);
			if (!memory)
				return about(r,
					     tsl_fail(err, TSL_EMEMORY,
						      "out of memory for %lld "
						      "bytes from a stream",
						      (long long)nbytes),
					     err);
			r->memory = memory;
		}
		status = take_data(r, r->memory + r->loaded, (size_t)n, err);
		if (status)
			return status;
		r->loaded += n;
	}
	return TSL_OK;
}

bool
npyio_reader_map(struct npyio_reader *r)
{
	int64_t data = r->start + r->data_offset;
	int64_t page = sysconf(_SC_PAGESIZE);

	if (r->is_stream || r->map || r->nbytes == 0)
		return r->map != NULL;
	r->map_skip = data % page;
	r->map_nbytes = (size_t)(r->map_skip + r->nbytes);
	r->map = mmap(NULL, r->map_nbytes, PROT_READ, MAP_SHARED, r->fd,
		      data - r->map_skip);
	if (r->map == MAP_FAILED) {
		r->map = NULL;
		return false;
	}
	if (npyio_cleanup_guard(r->map, r->map_nbytes, r->name))
		return true;
	munmap(r->map, r->map_nbytes);
	r->map = NULL;
	return false;
}

const char *
npyio_reader_bytes(const struct npyio_reader *r, int64_t lo, int64_t hi)
{
	if (r->map)
		return (const char *)r->map + r->map_skip + lo;
	return hi <= r->loaded ? r->memory + lo : NULL;
}

enum tsl_status
npyio_reader_read(const struct npyio_reader *r, int64_t lo, int64_t n,
		  char *dst, struct tsl_error *err)
{
	enum tsl_status status;
	size_t got;

	if (n == 0)
		return TSL_OK;
	if (r->is_stream) {
		memcpy(dst, r->memory + lo, (size_t)n);
		return TSL_OK;
	}
	status = npyio_fd_pread(r->fd, dst, (size_t)n,
				r->start + r->data_offset + lo, &got, err);
	if (!status && (int64_t)got < n)
		status = tsl_fail(err, TSL_EIO,
				  "the file became shorter while being read");
	return about(r, status, err);
}

static enum tsl_status
drain(struct npyio_reader *r, struct tsl_error *err)
{
	enum tsl_status status = TSL_OK;
	int64_t left = r->nbytes - r->taken;
	size_t size = left < STREAM_STEP ? (size_t)left : STREAM_STEP;
	char *buf;

	if (left == 0)
		return TSL_OK;
	buf = malloc(size);
	if (!buf)
		return about(r, tsl_fail(err, TSL_EMEMORY, "out of memory"),
			     err);
	for (; left > 0 && !status; left -= (int64_t)size) {
		if (left < (int64_t)size)
			size = (size_t)left;
		status = take_data(r, buf, size, err);
	}
	free(buf);
	return status;
}

/*
 * A mapping of a file that was cut short within its last page reads as zeros
 * there, and says nothing.
 */
static enum tsl_status
check_still_whole(const struct npyio_reader *r, struct tsl_error *err)
{
	struct stat st;

	if (!r->map || (fstat(r->fd, &st) == 0 &&
			st.st_size - r->start >= r->data_offset + r->nbytes))
		return TSL_OK;
	return about(r,
		     tsl_fail(err, TSL_EIO,
			      "the file became shorter while being read"),
		     err);
}

enum tsl_status
npyio_reader_finish(struct npyio_reader *r, struct tsl_error *err)
{
	enum tsl_status status;
	int64_t end;

	if (r->is_stream)
		return drain(r, err);
	status = check_still_whole(r, err);
	if (status)
		return status;
	end = r->start + r->data_offset + r->nbytes;
	/* Once: what follows may by now be another reader's. */
	if (r->finished)
		return TSL_OK;
	r->finished = true;
	if (r->fd == STDIN_FILENO && lseek(r->fd, end, SEEK_SET) < 0)
		return about(r, npyio_fail_sys(err, "cannot seek"), err);
	return TSL_OK;
}
