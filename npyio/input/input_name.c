/*
 * input_name.c - what the name of an input leads to, as far as it says so
 */
#include "input_name.h"

#include "npyio/format/raw.h"

#include <string.h>

bool
npyio_input_has_scheme(const char *name)
{
	return npyio_raw_is(name);
}

enum tsl_status
npyio_input_check(const char *name, struct tsl_error *err)
{
	struct npyio_raw raw;
	enum tsl_status status;

	if (!npyio_raw_is(name))
		return TSL_OK;
	status = npyio_raw_parse(&raw, name, err);
	npyio_raw_free(&raw);
	if (status && err)
		err->subject = name;
	return status;
}

const char *
npyio_input_file(const char *name)
{
	struct npyio_raw raw;
	const char *file = name;

	if (!npyio_raw_is(name))
		return name;
	if (!npyio_raw_parse(&raw, name, NULL))
		file = raw.file;
	npyio_raw_free(&raw);
	return file;
}

bool
npyio_input_is_stdin(const char *name)
{
	return strcmp(npyio_input_file(name), "-") == 0;
}
