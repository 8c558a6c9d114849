/*
 * cjson.c - the functions of cJSON that there is use for
 */
#include "cjson.h"

#include "npyio/file/library.h"

enum tsl_status
cjson_load(const struct cjson **functions, struct tsl_error *err)
{
	static bool loaded;
	static struct cjson all;
	static const struct npyio_symbol symbols[] = {
#define X(name) NPYIO_SYMBOL(cJSON_##name, all.name),
		CJSON_FUNCTIONS(X)
#undef X
	};

	enum tsl_status status = TSL_OK;

	if (!loaded)
		status = npyio_library_load("libcjson.so.1", symbols,
					    sizeof(symbols) / sizeof(*symbols),
					    "JSON", err);
	loaded = !status;
	*functions = &all;
	return status;
}
