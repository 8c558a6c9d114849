/*
 * fuzz_archive.c - any bytes as a zip archive, and all that is in it
 *
 * Property: members that are accepted lie within the file and not in each
 * other; one that is inflated has as many bytes as it says, or is refused.
 */
#define _GNU_SOURCE /* memfd_create */
#include "fuzz.h"
#include "npyio/input/inflate.h"
#include "npyio/input/reader.h"

#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define MAX_MEMBERS 16

/* All of a member's bytes, whatever they are. */
static void
inflate_all(const struct npyio_shared_descriptor *file,
	    const struct npyio_member *m)
{
	static char buffer[100000];
	struct npyio_inflate *z;
	struct tsl_error err;
	enum tsl_status status = npyio_inflate_open(&z, file, m, &err);
	int64_t total = 0;
	size_t got = sizeof(buffer);

	while (!status && got == sizeof(buffer)) {
		status = npyio_inflate_get(z, buffer, sizeof(buffer), &got,
					   &err);
		total += (int64_t)got;
	}
	must(status ? status == TSL_EBAD_ARCHIVE : total == m->size);
	npyio_inflate_close(z);
}

/* Its array, and then all that has not been read of it. */
static void
read_array(const struct npyio_archive *a, int64_t i)
{
	struct npyio_reader *r;
	struct tsl_error err;
	enum tsl_status status =
		npyio_reader_open_member(&r, a, i, "member", &err);
	char byte;

	if (status) {
		must(tsl_status_exit(status) == 3 && err.subject);
		return;
	}
	must(npyio_reader_is_member(r));
	if (npyio_reader_stored(r) &&
	    tsl_array_nbytes(npyio_reader_array(r)) > 0)
		must(npyio_reader_read(r, 0, 1, &byte, &err) == TSL_OK);
	status = npyio_reader_check(r, true, &err);
	must(status == TSL_OK || status == TSL_EBAD_ARCHIVE);
	npyio_reader_close(r);
}

static void
look_at(const struct npyio_archive *a, int64_t size)
{
	struct npyio_member m[MAX_MEMBERS];
	int n = 0;

	for (int64_t i = 0; i < npyio_archive_count(a) && n < MAX_MEMBERS;
	     i++) {
		struct tsl_error err;
		struct npyio_shared_descriptor *file;
		int len;

		must(npyio_archive_name(a, i, &len) && len >= 0);
		if (npyio_archive_member(a, i, &m[n], &file, &err)) {
			must(err.code == TSL_EBAD_ARCHIVE);
			continue;
		}
		must(m[n].offset > 0 && m[n].packed >= 0 && m[n].size >= 0 &&
		     m[n].offset + m[n].packed <= size);
		for (int k = 0; k < n; k++)
			must(m[k].offset + m[k].packed <= m[n].offset ||
			     m[n].offset + m[n].packed <= m[k].offset);
		if (m[n].deflated)
			inflate_all(file, &m[n]);
		npyio_shared_descriptor_drop(file);
		read_array(a, i);
		n++;
	}
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	int fd = memfd_create("fuzz", MFD_CLOEXEC);
	struct npyio_archive *a;
	struct tsl_error err;
	enum tsl_status status;
	const char *member;
	char path[40];
	int64_t i;

	must(fd >= 0 && write(fd, data, size) == (ssize_t)size);
	snprintf(path, sizeof(path), "/dev/fd/%d", fd);
	status = npyio_archive_open(&a, path, &member, &err);
	must(status == TSL_OK || status == TSL_EBAD_ARCHIVE);
	if (a) {
		must(!status && !member);
		look_at(a, (int64_t)size);
		must(npyio_archive_find(a, "a", &i, &err) ||
		     (i >= 0 && i < npyio_archive_count(a)));
	}
	npyio_archive_close(a);
	close(fd);
	return 0;
}
