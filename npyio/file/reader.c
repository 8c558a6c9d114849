/*
 * reader.c - one array of an .npy file or stream
 */
#define _GNU_SOURCE /* F_SETPIPE_SZ */
#include "reader.h"

#include "fd.h"
#include "lib/base/minmax.h"
#include "npyio/format/header.h"
#include "spool.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Most headers are 128 bytes; one read of this gets nearly all of them. */
#define FIRST_READ 4096

/* Asked for, for pipes. */
#define PIPE_NBYTES (1024 * 1024)

/* A stream's bytes are kept, or dropped, in steps, as they arrive. */
#define STREAM_STEP (int64_t)(256 * 1024)

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
	char *memory; /* a stream's data, if kept there */
	int spool; /* or here; -1: not */
	int64_t kept; /* bytes of it, from the first on */
	struct npyio_reader *ordered; /* has the data as wanted; or NULL */
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
look_at(struct npyio_reader *r, bool from_here, struct tsl_error *err)
{
	struct stat st;

	if (fstat(r->fd, &st) != 0)
		return npyio_fail_sys(err, "cannot read");
	if (S_ISDIR(st.st_mode)) {
		errno = EISDIR;
		return npyio_fail_sys(err, "cannot read");
	}
	/* A larger pipe has both its ends wait less; if we may have one. */
	if (S_ISFIFO(st.st_mode))
		(void)fcntl(r->fd, F_SETPIPE_SZ, PIPE_NBYTES);
	/* Files of /proc say that they are empty, and are not. */
	r->is_stream = !S_ISREG(st.st_mode) || st.st_size == 0;
	if (!r->is_stream)
		r->start = from_here ? lseek(r->fd, 0, SEEK_CUR) : 0;
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
	status = read_header(r, end, &next, &descr, &next_offset, err);
	free(descr);
	if (status == TSL_OK &&
	    r->size - end - next_offset >= tsl_array_nbytes(&next))
		return TSL_OK;
	/* Not what is there is at fault, but the system. */
	if (tsl_status_exit(status) == 4)
		return status;
	return tsl_fail(err, TSL_ETRAILING_DATA,
			"%lld byte%s the array, and not another array",
			(long long)(r->size - end),
			r->size - end == 1 ? " follows" : "s follow");
}

static enum tsl_status
check_size(const struct npyio_reader *r, struct tsl_error *err)
{
	int64_t have = r->size - r->data_offset;

	if (have < r->nbytes)
		return tsl_fail(err, TSL_ETRUNCATED_DATA,
				"the header promises %lld byte%s of data, but "
				"only %lld follow%s",
				(long long)r->nbytes, r->nbytes == 1 ? "" : "s",
				(long long)have, have == 1 ? "s" : "");
	return check_rest(r, err);
}

/* Reads the header, and checks that a file holds what it promises. */
static enum tsl_status
read_array(struct npyio_reader *r, struct tsl_error *err)
{
	enum tsl_status status =
		read_header(r, 0, &r->array, &r->descr, &r->data_offset, err);

	if (status)
		return status;
	r->nbytes = tsl_array_nbytes(&r->array);
	return r->is_stream ? TSL_OK : check_size(r, err);
}

/* Looks at what r->fd is, and at the header. */
static enum tsl_status
read_begin(struct npyio_reader *r, bool from_here, struct tsl_error *err)
{
	enum tsl_status status = look_at(r, from_here, err);

	return status ? status : read_array(r, err);
}

static struct npyio_reader *
new_reader(const char *name)
{
	struct npyio_reader *r = calloc(1, sizeof(*r));

	if (!r)
		return NULL;
	r->name = name;
	r->fd = r->spool = -1;
	return r;
}

static enum tsl_status
opened(struct npyio_reader *r, enum tsl_status status,
       struct npyio_reader **reader_new)
{
	if (status)
		npyio_reader_close(r);
	else
		*reader_new = r;
	return status;
}

enum tsl_status
npyio_reader_open(struct npyio_reader **reader_new, const char *path,
		  struct tsl_error *err)
{
	bool standard = strcmp(path, "-") == 0;
	struct npyio_reader *r = new_reader(standard ? "standard input" : path);
	enum tsl_status status;

	*reader_new = NULL;
	if (!r)
		return tsl_fail(err, TSL_EMEMORY, "out of memory");
	r->fd = standard ? STDIN_FILENO
			 : open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
	status = r->fd < 0 ? npyio_fail_sys(err, "cannot open")
			   : read_begin(r, standard, err);
	return opened(r, about(r, status, err), reader_new);
}

enum tsl_status
npyio_reader_open_spool(struct npyio_reader **reader_new, int fd,
			struct tsl_error *err)
{
	struct npyio_reader *r = new_reader(npyio_spool_directory());
	enum tsl_status status = TSL_OK;

	*reader_new = NULL;
	if (!r)
		return tsl_fail(err, TSL_EMEMORY, "out of memory");
	r->fd = fcntl(fd, F_DUPFD_CLOEXEC, 3);
	status = r->fd < 0 ? npyio_fail_sys(err, "cannot read")
			   : read_begin(r, false, err);
	return opened(r, about(r, status, err), reader_new);
}

void
npyio_reader_close(struct npyio_reader *r)
{
	if (!r)
		return;
	npyio_reader_close(r->ordered);
	if (r->spool >= 0)
		close(r->spool);
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
became_shorter(struct tsl_error *err)
{
	return tsl_fail(err, TSL_EIO,
			"the file became shorter while being read");
}

static enum tsl_status
no_memory(int64_t nbytes, struct tsl_error *err)
{
	return tsl_fail(err, TSL_EMEMORY, "out of memory for %lld bytes",
			(long long)nbytes);
}

static enum tsl_status
take_data(struct npyio_reader *r, char *dst, size_t n, struct tsl_error *err)
{
	size_t got;
	enum tsl_status status = npyio_fd_read(r->fd, dst, n, &got, err);

	r->taken += (int64_t)got;
	if (!status && got < n)
		status = tsl_fail(
			err, TSL_ETRUNCATED_DATA,
			"the header promises %lld byte%s of data, but "
			"the input ends after %lld",
			(long long)r->nbytes, r->nbytes == 1 ? "" : "s",
			(long long)r->taken);
	return about(r, status, err);
}

enum tsl_status
npyio_reader_take(struct npyio_reader *r, char *dst, int64_t n,
		  struct tsl_error *err)
{
	return take_data(r, dst, (size_t)n, err);
}

/* What a header promises is only a claim: memory grows with the data. */
static enum tsl_status
keep_in_memory(struct npyio_reader *r, int64_t nbytes, struct tsl_error *err)
{
	enum tsl_status status = TSL_OK;
	int64_t cap = 0;

	while (r->kept < nbytes && !status) {
		int64_t n = tsl_min(nbytes - r->kept, STREAM_STEP);

		if (r->kept + n > cap) {
			char *memory;

			cap = tsl_min(tsl_max(2 * cap, n), nbytes);
			memory = realloc(r->memory, (size_t)cap);
			if (!memory)
				return about(r, no_memory(nbytes, err), err);
			r->memory = memory;
			n = tsl_min(n, cap - r->kept);
		}
		status = take_data(r, r->memory + r->kept, (size_t)n, err);
		if (!status)
			r->kept += n;
	}
	return status;
}

static enum tsl_status
write_to_spool(const struct npyio_reader *r, const char *buf, size_t n,
	       struct tsl_error *err)
{
	enum tsl_status status =
		npyio_fd_pwrite(r->spool, buf, n, r->kept, err);

	if (status && err)
		err->subject = npyio_spool_directory();
	return status;
}

static enum tsl_status
keep_in_spool(struct npyio_reader *r, int64_t nbytes, struct tsl_error *err)
{
	enum tsl_status status = npyio_spool_open(&r->spool, err);
	char *buf;

	if (status)
		return status;
	buf = malloc(STREAM_STEP);
	if (!buf)
		return about(r, no_memory(STREAM_STEP, err), err);
	while (r->kept < nbytes && !status) {
		int64_t n = tsl_min(nbytes - r->kept, STREAM_STEP);

		status = take_data(r, buf, (size_t)n, err);
		if (!status)
			status = write_to_spool(r, buf, (size_t)n, err);
		r->kept += n;
	}
	free(buf);
	return status;
}

enum tsl_status
npyio_reader_keep(struct npyio_reader *r, int64_t nbytes, int64_t room,
		  struct tsl_error *err)
{
	if (!r->is_stream || r->kept >= nbytes)
		return TSL_OK;
	return nbytes <= room ? keep_in_memory(r, nbytes, err)
			      : keep_in_spool(r, nbytes, err);
}

bool
npyio_reader_is_kept(const struct npyio_reader *r)
{
	return r->kept > 0;
}

const char *
npyio_reader_memory(const struct npyio_reader *r)
{
	return r->memory;
}

bool
npyio_reader_is_spooled(const struct npyio_reader *r)
{
	return r->spool >= 0;
}

void
npyio_reader_replace(struct npyio_reader *r, const struct tsl_array *as,
		     char *memory, struct npyio_reader *by)
{
	free(r->memory);
	r->memory = memory;
	r->ordered = by;
	r->array = *as;
}

bool
npyio_reader_file(const struct npyio_reader *r, int *fd, int64_t *offset)
{
	if (r->memory)
		return false;
	if (r->ordered)
		return npyio_reader_file(r->ordered, fd, offset);
	*fd = r->spool >= 0 ? r->spool : r->fd;
	*offset = r->spool >= 0 ? 0 : r->start + r->data_offset;
	return true;
}

enum tsl_status
npyio_reader_read(const struct npyio_reader *r, int64_t lo, int64_t n,
		  char *dst, struct tsl_error *err)
{
	enum tsl_status status;
	int64_t offset;
	size_t got;
	int fd;

	if (n == 0)
		return TSL_OK;
	if (!npyio_reader_file(r, &fd, &offset)) {
		memcpy(dst, r->memory + lo, (size_t)n);
		return TSL_OK;
	}
	status = npyio_fd_pread(fd, dst, (size_t)n, offset + lo, &got, err);
	if (!status && (int64_t)got < n)
		status = became_shorter(err);
	return about(r, status, err);
}

static enum tsl_status
drain(struct npyio_reader *r, struct tsl_error *err)
{
	enum tsl_status status = TSL_OK;
	int64_t left = r->nbytes - r->taken;
	size_t size = (size_t)tsl_min(left, STREAM_STEP);
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
enum tsl_status
npyio_reader_check(const struct npyio_reader *r, struct tsl_error *err)
{
	struct stat st;

	if (r->is_stream ||
	    (fstat(r->fd, &st) == 0 &&
	     st.st_size - r->start >= r->data_offset + r->nbytes))
		return TSL_OK;
	return about(r, became_shorter(err), err);
}

enum tsl_status
npyio_reader_finish(struct npyio_reader *r, struct tsl_error *err)
{
	int64_t end;

	if (r->is_stream)
		return drain(r, err);
	end = r->start + r->data_offset + r->nbytes;
	/* Once: what follows may by now be another reader's. */
	if (r->finished)
		return TSL_OK;
	r->finished = true;
	if (r->fd == STDIN_FILENO && lseek(r->fd, end, SEEK_SET) < 0)
		return about(r, npyio_fail_sys(err, "cannot seek"), err);
	return TSL_OK;
}

/* As if the reader had been opened where the next array begins. */
static void
begin_again(struct npyio_reader *r)
{
	int64_t end = r->data_offset + r->nbytes;

	free(r->descr);
	free(r->memory);
	npyio_reader_close(r->ordered);
	if (r->spool >= 0)
		close(r->spool);
	*r = (struct npyio_reader){
		.name = r->name,
		.fd = r->fd,
		.is_stream = r->is_stream,
		.start = r->is_stream ? 0 : r->start + end,
		.size = r->is_stream ? 0 : r->size - end,
		.spool = -1,
	};
}

enum tsl_status
npyio_reader_next(struct npyio_reader *r, bool *more, struct tsl_error *err)
{
	enum tsl_status status = npyio_reader_finish(r, err);

	*more = false;
	if (status)
		return status;
	begin_again(r);
	status = read_array(r, err);
	if (status == TSL_EEMPTY_FILE)
		return TSL_OK;
	*more = !status;
	return about(r, status, err);
}
