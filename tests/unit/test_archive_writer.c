/*
 * test_archive_writer.c - many members of one new archive, of which some fail
 */
#include "check.h"

#include "npyio/input/archive.h"
#include "npyio/output/archive_writer.h"
#include "npyio/output/writer.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char path[] = "/tmp/test_archive_writer.XXXXXX";
static char file[sizeof(path) + 8];

/* Puts n bytes of 'name', and ends or drops it. */
static enum tsl_status
put(struct npyio_archive_writer *a, const char *name, const char *bytes,
    bool ok)
{
	struct npyio_writer *w;
	enum tsl_status status = npyio_writer_open_member(&w, a, name, NULL);

	if (status)
		return status;
	status = npyio_writer_put(w, bytes, strlen(bytes), 0, NULL);
	if (!status && ok)
		return npyio_writer_commit(w, NULL);
	npyio_writer_abort(w);
	return status;
}

static void
make(int level)
{
	const struct npyio_archive_writer_options options = { .anew = true,
							      .level = level,
							      .threads = 2 };
	struct npyio_archive_writer *a;

	CHECK_EQ(npyio_archive_writer_open(&a, file, &options, NULL), TSL_OK);
	if (!a)
		return;
	CHECK_EQ(put(a, "first", "some bytes", true), TSL_OK);
	CHECK_EQ(put(a, "failed", "more bytes, which do not stay", false),
		 TSL_OK);
	CHECK_EQ(put(a, "../x", "", true), TSL_EUSAGE);
	CHECK_EQ(put(a, "dir/empty.npy", "", true), TSL_OK);
	CHECK_EQ(put(a, "failed, too", "bytes", false), TSL_OK);
	CHECK_EQ(npyio_archive_writer_commit(a, NULL), TSL_OK);
	npyio_archive_writer_close(a);
}

static void
check_member(struct npyio_archive *a, int64_t i, const char *name, int64_t size,
	     bool deflated)
{
	struct npyio_shared_descriptor *shared;
	struct npyio_member m;
	int len;
	const char *got = npyio_archive_name(a, i, &len);

	CHECK_EQ(len, strlen(name));
	CHECK(strncmp(got, name, strlen(name)) == 0, "%s", name);
	CHECK_EQ(npyio_archive_member(a, i, &m, &shared, NULL), TSL_OK);
	CHECK_EQ(m.size, size);
	CHECK_EQ(m.deflated, deflated);
	npyio_shared_descriptor_drop(shared);
}

static void
test_members_that_failed_are_not_there(void)
{
	for (int level = 0; level < 10; level += 3) {
		struct npyio_archive *a;
		const char *member;

		make(level);
		CHECK_EQ(npyio_archive_open(&a, file, &member, NULL), TSL_OK);
		if (!a)
			continue;
		CHECK_EQ(npyio_archive_count(a), 2);
		check_member(a, 0, "first", 10, level > 0);
		check_member(a, 1, "dir/empty", 0, level > 0);
		npyio_archive_close(a);
	}
}

static void
test_an_archive_without_members_is_one(void)
{
	const struct npyio_archive_writer_options options = { .anew = true };
	struct npyio_archive_writer *a;
	struct npyio_archive *read;
	const char *member;

	CHECK_EQ(npyio_archive_writer_open(&a, file, &options, NULL), TSL_OK);
	CHECK_EQ(put(a, "failed", "bytes", false), TSL_OK);
	CHECK_EQ(npyio_archive_writer_commit(a, NULL), TSL_OK);
	npyio_archive_writer_close(a);
	CHECK_EQ(npyio_archive_open(&read, file, &member, NULL), TSL_OK);
	CHECK_EQ(npyio_archive_count(read), 0);
	npyio_archive_close(read);
}

int
main(void)
{
	if (!mkdtemp(path))
		return 77;
	snprintf(file, sizeof(file), "%s/a.npz", path);
	RUN(test_members_that_failed_are_not_there);
	RUN(test_an_archive_without_members_is_one);
	unlink(file);
	rmdir(path);
	return check_done();
}
