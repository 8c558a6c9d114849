/*
 * fuzz_raw.c - any text behind "raw:", as the name of elements without a header
 *
 * Properties: what is accepted is an array whose bytes can be counted; it fits
 * where there are as many, and not where there is one less; and the file is the
 * end of the name.
 */
#include "fuzz.h"
#include "npyio/format/raw.h"

#include <stdio.h>
#include <string.h>

#define MAX_NAME 4096

static void
check(struct npyio_raw *raw, const char *name)
{
	int64_t nbytes =
		raw->is_open ? raw->row : tsl_array_nbytes(&raw->array);

	must(raw->file > name && raw->file[-1] == ':' && raw->file[0] &&
	     raw->file < name + strlen(name));
	must(raw->offset >= 0 &&
	     strcmp(raw->descr, raw->array.dtype.descr) == 0);
	must(!raw->is_open || raw->row > 0);
	must(npyio_raw_fit(raw, -1, NULL) == TSL_ETRUNCATED);
	if (nbytes > 0 && (!raw->is_open || nbytes > 1))
		must(npyio_raw_fit(raw, nbytes - 1, NULL) == TSL_ETRUNCATED);
	must(npyio_raw_fit(raw, nbytes, NULL) == TSL_OK);
	must(tsl_array_nbytes(&raw->array) == nbytes);
	must(!raw->is_open || npyio_raw_fit(raw, 0, NULL) == TSL_OK);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char name[MAX_NAME];
	struct npyio_raw raw;
	struct tsl_error err;

	snprintf(name, sizeof(name), "raw:%.*s",
		 size < MAX_NAME ? (int)size : MAX_NAME, (const char *)data);
	must(npyio_raw_is(name));
	if (npyio_raw_parse(&raw, name, &err))
		must(tsl_status_exit(err.code) == 2 ||
		     err.code == TSL_EBAD_RESHAPE ||
		     err.code == TSL_ETOO_LARGE);
	else
		check(&raw, name);
	npyio_raw_free(&raw);
	return 0;
}
