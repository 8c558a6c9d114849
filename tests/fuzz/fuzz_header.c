/*
 * fuzz_header.c - any bytes as the beginning of an .npy file
 *
 * Properties: what is accepted is written again as a header that is accepted,
 * means the same array, and is written to the same bytes; and a size that takes
 * no more digits finds room in it, and changes nothing else that it means.
 */
#include "fuzz.h"
#include "npyio/format/header.h"

#include <stdlib.h>
#include <string.h>

/* Reads a whole header; the caller frees '*descr'. */
static bool
read_header(const char *bytes, size_t size, struct tsl_array *a, char **descr)
{
	struct npyio_prefix prefix;
	struct tsl_error err;

	*descr = NULL;
	if (npyio_prefix_parse(&prefix, (const unsigned char *)bytes, size,
			       &err))
		return false;
	if ((int64_t)size - prefix.text_offset < prefix.text_nbytes)
		return false;
	return npyio_header_parse(a, descr, prefix.version,
				  bytes + prefix.text_offset,
				  (size_t)prefix.text_nbytes, &err) == TSL_OK;
}

static void
check_put_dim(const char *bytes, size_t size, const struct tsl_array *a)
{
	int axis = a->ndim > 0 ? (int)(size % (size_t)a->ndim) : -1;
	struct tsl_array want = *a, b;
	char *copy = malloc(size);
	char *descr;

	must(copy);
	memcpy(copy, bytes, size);
	if (axis >= 0) {
		struct npyio_prefix prefix;

		must(npyio_prefix_parse(&prefix, (const unsigned char *)copy,
					size, NULL) == TSL_OK);
		want.dim[axis] /= 3;
		must(npyio_header_put_dim(
			     copy,
			     (size_t)(prefix.text_offset + prefix.text_nbytes),
			     axis, want.dim[axis], NULL) == TSL_OK);
		must(read_header(copy, size, &b, &descr));
		must(b.ndim == a->ndim && b.fortran_order == a->fortran_order &&
		     strcmp(descr, a->dtype.descr) == 0 &&
		     memcmp(b.dim, want.dim,
			    (size_t)a->ndim * sizeof(b.dim[0])) == 0);
		free(descr);
	}
	free(copy);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct npyio_text first = { 0 }, second = { 0 };
	struct tsl_array a, b;
	char *descr, *again = NULL;

	if (read_header((const char *)data, size, &a, &descr)) {
		must(npyio_header_format(&first, &a, NULL) == TSL_OK);
		must(read_header(first.s, first.len, &b, &again));
		must(b.ndim == a.ndim && b.dtype.size == a.dtype.size &&
		     b.fortran_order == a.fortran_order &&
		     memcmp(a.dim, b.dim, (size_t)a.ndim * sizeof(a.dim[0])) ==
			     0);
		must(npyio_header_format(&second, &b, NULL) == TSL_OK);
		must(first.len == second.len &&
		     memcmp(first.s, second.s, first.len) == 0);
		check_put_dim((const char *)data, size, &a);
	}
	free(descr);
	free(again);
	npyio_text_free(&first);
	npyio_text_free(&second);
	return 0;
}
