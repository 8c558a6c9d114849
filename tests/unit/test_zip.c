/*
 * test_zip.c - records of a zip archive, written and read back
 */
#include "check.h"

#include "npyio/file/crc.h"
#include "npyio/format/zip_write.h"

#include <string.h>

#define NARROW ((int64_t)INT32_MAX)

static const int64_t numbers[] = { 0,
				   1,
				   1000,
				   NARROW,
				   NARROW + 1,
				   UINT32_MAX - 1,
				   UINT32_MAX,
				   (int64_t)UINT32_MAX + 1,
				   (int64_t)1 << 40 };

#define COUNT ((int)(sizeof(numbers) / sizeof(*numbers)))

static void
make(struct npyio_zip_entry *e, const char *name, int i)
{
	npyio_zip_entry_init(e, name, strlen(name), NPYIO_ZIP_STORED);
	e->size = numbers[i % COUNT];
	e->packed = numbers[i / COUNT % COUNT];
	e->offset = numbers[i / COUNT / COUNT];
	e->crc = 0x12345678;
}

static bool
is_same(const struct npyio_zip_entry *a, const struct npyio_zip_entry *b)
{
	return a->name_len == b->name_len &&
	       memcmp(a->name, b->name, a->name_len) == 0 &&
	       a->flags == b->flags && a->method == b->method &&
	       a->crc == b->crc && a->size == b->size &&
	       a->packed == b->packed && a->offset == b->offset;
}

static void
test_entries_are_read_back_and_moved(void)
{
	for (int i = 0; i < COUNT * COUNT * COUNT; i++) {
		unsigned char bytes[NPYIO_ZIP_ENTRY_MOST + 8];
		struct npyio_zip_entry e, got;
		size_t pos = 0, n;

		make(&e, "a/b.npy", i);
		n = npyio_zip_entry_format(bytes, &e);
		CHECK_EQ(npyio_zip_entry_parse(&got, bytes, n, &pos, NULL),
			 TSL_OK);
		CHECK_EQ(pos, n);
		CHECK(is_same(&e, &got), "entry %d", i);
		e.offset /= 3;
		npyio_zip_entry_move(bytes, e.offset);
		pos = 0;
		CHECK_EQ(npyio_zip_entry_parse(&got, bytes, n, &pos, NULL),
			 TSL_OK);
		CHECK(is_same(&e, &got), "entry %d, moved", i);
	}
}

static void
test_local_headers_agree_with_entries(void)
{
	for (int i = 0; i < COUNT * COUNT; i++) {
		unsigned char bytes[100];
		struct npyio_zip_entry e;

		make(&e, "größe.npy", i);
		CHECK_EQ(e.flags, 0x800);
		CHECK(npyio_zip_local_nbytes(&e) <= sizeof(bytes), "long");
		npyio_zip_local_format(bytes, &e);
		CHECK_EQ(NPYIO_ZIP_LOCAL + npyio_zip_local_rest(bytes),
			 npyio_zip_local_nbytes(&e));
		CHECK_EQ(npyio_zip_local_check(&e, bytes,
					       bytes + NPYIO_ZIP_LOCAL, NULL),
			 TSL_OK);
	}
}

static void
test_ends_are_found(void)
{
	for (int i = 0; i < COUNT; i++) {
		const struct npyio_zip_end end = { .count = numbers[i] / 46,
						   .offset = numbers[i],
						   .nbytes = numbers[i],
						   .comment_len = 7 };
		unsigned char bytes[NPYIO_ZIP_END_MOST + 7];
		size_t n = npyio_zip_end_format(bytes, &end);
		struct npyio_zip_end got;

		memcpy(bytes + n, "comment", 7);
		CHECK_EQ(npyio_zip_end_parse(&got, bytes, n + 7,
					     2 * numbers[i] + (int64_t)n + 7,
					     NULL),
			 TSL_OK);
		CHECK_EQ(got.count, end.count);
		CHECK_EQ(got.offset, end.offset);
		CHECK_EQ(got.nbytes, end.nbytes);
		CHECK_EQ(got.comment_len, end.comment_len);
	}
}

/* An end record, behind 'size' bytes that it speaks of. */
static enum tsl_status
parse_end(int64_t offset, int64_t nbytes, int64_t size)
{
	const struct npyio_zip_end end = { .count = 1,
					   .offset = offset,
					   .nbytes = nbytes };
	unsigned char bytes[NPYIO_ZIP_END_MOST];
	size_t n = npyio_zip_end_format(bytes, &end);
	struct npyio_zip_end got;

	return npyio_zip_end_parse(&got, bytes, n, size + (int64_t)n, NULL);
}

static void
test_nothing_lies_between_the_entries_and_the_end(void)
{
	CHECK_EQ(parse_end(1000, 100, 1100), TSL_OK);
	CHECK_EQ(parse_end(1000, 100, 1099), TSL_EBAD_ARCHIVE);
	CHECK_EQ(parse_end(1000, 100, 1101), TSL_EBAD_ARCHIVE);
	CHECK_EQ(parse_end(1000, 100, 999), TSL_EBAD_ARCHIVE);
	CHECK_EQ(parse_end(1000, 45, 1045), TSL_EBAD_ARCHIVE);
	CHECK_EQ(parse_end(1000, 46, 1046), TSL_OK);
}

static void
test_zeros_are_counted_by_their_number(void)
{
	static const char zeros[1000];

	CHECK_EQ(npyio_crc_open("a test", NULL), TSL_OK);
	for (size_t n = 0; n < sizeof(zeros); n++)
		CHECK_EQ(npyio_crc_zeros(77, (int64_t)n),
			 npyio_crc(77, zeros, n));
}

int
main(void)
{
	RUN(test_entries_are_read_back_and_moved);
	RUN(test_local_headers_agree_with_entries);
	RUN(test_ends_are_found);
	RUN(test_nothing_lies_between_the_entries_and_the_end);
	RUN(test_zeros_are_counted_by_their_number);
	return check_done();
}
