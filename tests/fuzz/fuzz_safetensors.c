/*
 * fuzz_safetensors.c - any bytes as a safetensors file
 *
 * Properties: tensors that are accepted lie within the file, side by side from
 * the end of the header to that of the file; each is as large as its shape
 * says, and has a name of its own.
 */
#include "fuzz.h"
#include "npyio/format/container.h"

#include <string.h>

struct memory {
	const uint8_t *bytes;
	size_t size;
};

static enum tsl_status
read_memory(const struct npyio_bytes *file, void *dst, size_t n, int64_t offset,
	    struct tsl_error *err)
{
	const struct memory *m = file->context;

	(void)err;
	must(offset >= 0 && (size_t)offset <= m->size &&
	     n <= m->size - (size_t)offset);
	memcpy(dst, m->bytes + offset, n);
	return TSL_OK;
}

static bool
have_same_name(const struct npyio_container *c, const void *content, int64_t i,
	       int64_t j)
{
	size_t a, b;
	const char *x = c->name_of(content, i, &a);
	const char *y = c->name_of(content, j, &b);

	return a == b && memcmp(x, y, a) == 0;
}

static void
look_at(const struct npyio_container *c, const void *content,
	const struct npyio_bytes *file)
{
	int64_t n = c->count(content), nbytes = 0, first = file->size;

	for (int64_t i = 0; i < n; i++) {
		struct npyio_member m;

		must(c->locate(content, i, file, &m, NULL) == TSL_OK);
		must(m.is_bare && !m.deflated && m.packed == m.size);
		must(tsl_array_check(&m.array, NULL) == TSL_OK);
		must(m.size == tsl_array_nbytes(&m.array));
		must(m.offset >= 10 && m.offset <= file->size &&
		     m.size <= file->size - m.offset);
		nbytes += m.size;
		first = m.offset < first ? m.offset : first;
		for (int64_t j = 0; j < i; j++)
			must(!have_same_name(c, content, i, j));
	}
	must(n == 0 || first + nbytes == file->size);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const struct npyio_container *c = &npyio_safetensors_container;
	const struct memory m = { data, size };
	const struct npyio_bytes file = { .read = read_memory,
					  .context = &m,
					  .size = (int64_t)size };
	struct tsl_error err;
	void *content;

	if (c->open(&content, &file, &err)) {
		must(err.code == TSL_EBAD_ARCHIVE &&
		     memchr(err.msg, 0, sizeof(err.msg)));
		return 0;
	}
	look_at(c, content, &file);
	c->close(content);
	return 0;
}
