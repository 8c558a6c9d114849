/*
 * container.h - files that hold arrays: from bytes to where each one lies
 *
 * A kind of container is one file here, and one line in the table of
 * npyio/input/archive.c.  It knows no descriptor: it reads by way of a struct
 * npyio_bytes.  What is above knows no kind.
 *
 * Offsets and sizes are in BYTES, from the file's first.
 */
#ifndef NPYIO_CONTAINER_H
#define NPYIO_CONTAINER_H

#include "lib/base/array.h"
#include "lib/base/status.h"

#include <stddef.h>

/* A file, wherever it is: read() gets all of bytes [offset, offset + n). */
struct npyio_bytes {
	enum tsl_status (*read)(const struct npyio_bytes *file, void *dst,
				size_t n, int64_t offset,
				struct tsl_error *err);
	const void *context; /* read()'s */
	int64_t size;
};

/* Where one array lies. */
struct npyio_member {
	int64_t offset, packed; /* in the file: where, and how many bytes */
	int64_t size; /* of the bytes, unpacked */
	bool deflated; /* or they lie there as they are */
	bool has_crc;
	uint32_t crc; /* of them, unpacked */
	/*
	 * They are the data alone, of this array, whose descr lasts as long as
	 * the program, and may be written where they lie; or else they begin
	 * with the header of an .npy file.
	 */
	bool is_bare;
	struct tsl_array array;
};

struct npyio_container {
	const char *name; /* "zip archive" */
	const char *file_suffix; /* that the names of such files end in */
	const char *suffix; /* of names, which may be left out; or NULL */
	/* is() tells by a path and the file's first n bytes, 8 if it has them.
	 */
	bool (*is)(const char *path, const unsigned char *first, size_t n);
	/*
	 * open() reads and checks what the file says of its arrays.  Returns
	 * TSL_OK; TSL_EBAD_ARCHIVE; TSL_EMEMORY; what read() does.
	 */
	enum tsl_status (*open)(void **content_new,
				const struct npyio_bytes *file,
				struct tsl_error *err);
	void (*close)(void *content);
	int64_t (*count)(const void *content);
	/* name_of() is that of array i, of '*len' bytes, as it stands there. */
	const char *(*name_of)(const void *content, int64_t i, size_t *len);
	/* locate() returns what open() does. */
	enum tsl_status (*locate)(const void *content, int64_t i,
				  const struct npyio_bytes *file,
				  struct npyio_member *m,
				  struct tsl_error *err);
};

extern const struct npyio_container npyio_safetensors_container;
extern const struct npyio_container npyio_zip_container;

/*
 * npyio_container_of() is what a file of that name is that begins with
 * first[0, n), n being 8 or the file's size; npyio_container_by_name() what one
 * is whose name is path[0, len), as far as that tells.  NULL: it is none.
 */
const struct npyio_container *
npyio_container_of(const char *path, const unsigned char *first, size_t n);
const struct npyio_container *npyio_container_by_name(const char *path,
						      size_t len);

/*
 * npyio_container_member_in() is where in path[0, len) the name of a member
 * begins, by the names of files alone: behind the first that is one of 'kind',
 * NULL being any, and a colon; or NULL.
 */
const char *npyio_container_member_in(const char *path, size_t len,
				      const struct npyio_container *kind);

#endif /* NPYIO_CONTAINER_H */
