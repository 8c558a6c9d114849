/*
 * fuzz_json.c - any bytes as an encoding in JSON
 *
 * Property: what is accepted is printed as --explain --json prints it, and
 * what is printed is read as the same encoding, and printed the same.
 */
#include "cli/operand/encoding_json.h"
#include "fuzz.h"

#include <string.h>

static bool
read_encoding(struct tsl_encoding *e, const char *text, size_t len)
{
	struct vectors v;
	struct tsl_error err;
	bool ok;

	vectors_init(&v);
	ok = json_read_vectors(&v, text, len, &err) == TSL_OK &&
	     vectors_encode(e, &v, &err) == TSL_OK;
	if (!ok)
		must(err.code != TSL_OK && memchr(err.msg, 0, sizeof(err.msg)));
	vectors_free(&v);
	return ok;
}

static char *
print(const struct tsl_encoding *e, size_t *len)
{
	char *text = NULL;
	FILE *f = open_memstream(&text, len);

	must(f && json_write_encoding(f, e, NULL, NULL, NULL) == TSL_OK);
	must(fclose(f) == 0);
	return text;
}

static void
check_same(const struct tsl_encoding *a, const struct tsl_encoding *b)
{
	size_t nbytes = (size_t)a->nitems * sizeof(a->begin[0]);

	must(a->nitems == b->nitems);
	must(memcmp(a->begin, b->begin, nbytes) == 0 &&
	     memcmp(a->end, b->end, nbytes) == 0 &&
	     memcmp(a->strides, b->strides, nbytes) == 0);
	must(a->begin_mask == b->begin_mask && a->end_mask == b->end_mask &&
	     a->ellipsis_mask == b->ellipsis_mask &&
	     a->new_axis_mask == b->new_axis_mask &&
	     a->shrink_axis_mask == b->shrink_axis_mask);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct tsl_encoding first, second;
	char *one, *two;
	size_t n, m;

	if (!read_encoding(&first, (const char *)data, size))
		return 0;
	one = print(&first, &n);
	must(read_encoding(&second, one, n));
	check_same(&first, &second);
	two = print(&second, &m);
	must(n == m && memcmp(one, two, n) == 0);
	free(one);
	free(two);
	return 0;
}
