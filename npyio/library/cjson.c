/*
 * cjson.c - the functions of cJSON that there is use for
 */
#include "cjson.h"

#include "library.h"

#include <stdlib.h>

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

/* It goes on where an allocation fails: what it would add is missing. */
static _Thread_local bool is_short_of_memory;

static void *
allocate(size_t n)
{
	void *p = malloc(n);

	if (!p)
		is_short_of_memory = true;
	return p;
}

enum tsl_status
npyio_cjson_begin(const struct npyio_cjson **functions, struct tsl_error *err)
{
	bool was_loaded = library.loaded;
	enum tsl_status status = npyio_library_load(&library, "JSON", err);

	*functions = &all;
	if (!status && !was_loaded)
		all.InitHooks(&(cJSON_Hooks){ allocate, free });
	is_short_of_memory = false;
	return status;
}

void
npyio_cjson_spoil(void)
{
	is_short_of_memory = true;
}

bool
npyio_cjson_is_whole(void)
{
	return !is_short_of_memory;
}
