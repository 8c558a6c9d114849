/*
 * zlib.c - the functions of zlib that there is use for
 */
#include "zlib.h"

#include "library.h"

static struct npyio_zlib functions;

static const struct npyio_symbol symbols[] = {
#define X(name) NPYIO_SYMBOL(name, functions.name),
	NPYIO_ZLIB_FUNCTIONS(X)
#undef X
};

static struct npyio_library library = {
	.name = "libz.so.1",
	.symbols = symbols,
	.nsymbols = sizeof(symbols) / sizeof(*symbols),
};

enum tsl_status
npyio_zlib_load(const char *what, struct tsl_error *err)
{
	return npyio_library_load(&library, what, err);
}

const struct npyio_zlib *
npyio_zlib(void)
{
	return &functions;
}
