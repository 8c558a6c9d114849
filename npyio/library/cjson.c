/*
 * cjson.c - the functions of cJSON that there is use for
 */
#include "cjson.h"

#include "library.h"

static struct npyio_cjson all;

static const struct npyio_symbol symbols[] = {
#define X(name) NPYIO_SYMBOL(cJSON_##name, all.name),
	CJSON_FUNCTIONS(X)
#undef X
};

static struct npyio_library library = {
	.name = "libcjson.so.1",
	.symbols = symbols,
	.nsymbols = sizeof(symbols) / sizeof(*symbols),
};

enum tsl_status
npyio_cjson_load(const struct npyio_cjson **functions, struct tsl_error *err)
{
	*functions = &all;
	return npyio_library_load(&library, "JSON", err);
}
