/*
 * zlib.c - the functions of zlib that there is use for
 */
#include "zlib.h"

#include "library.h"

static struct npyio_zlib functions;

enum tsl_status
npyio_zlib_load(struct tsl_error *err)
{
	static const struct npyio_symbol symbols[] = {
#define X(name) NPYIO_SYMBOL(name, functions.name),
		NPYIO_ZLIB_FUNCTIONS(X)
#undef X
	};

	return functions.inflate
		       ? TSL_OK
		       : npyio_library_load("libz.so.1", symbols,
					    sizeof(symbols) / sizeof(*symbols),
					    "an archive", err);
}

const struct npyio_zlib *
npyio_zlib(void)
{
	return &functions;
}
