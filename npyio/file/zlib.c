/*
 * zlib.c - the functions of zlib that there is use for
 */
#include "zlib.h"

#include "library.h"

static struct npyio_zlib functions;

enum tsl_status
npyio_zlib_load(const char *what, struct tsl_error *err)
{
	static bool loaded;
	static const struct npyio_symbol symbols[] = {
#define X(name) NPYIO_SYMBOL(name, functions.name),
		NPYIO_ZLIB_FUNCTIONS(X)
#undef X
	};

	enum tsl_status status = TSL_OK;

	if (!loaded)
		status = npyio_library_load("libz.so.1", symbols,
					    sizeof(symbols) / sizeof(*symbols),
					    what, err);
	loaded = !status;
	return status;
}

const struct npyio_zlib *
npyio_zlib(void)
{
	return &functions;
}
