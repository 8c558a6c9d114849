/*
 * zlib.h - the functions of zlib that there is use for
 */
#ifndef NPYIO_ZLIB_H
#define NPYIO_ZLIB_H

#include "lib/base/status.h"

#include <zlib.h>

#define NPYIO_ZLIB_FUNCTIONS(X) \
	X(crc32_z)              \
	X(crc32_combine)        \
	X(inflateInit2_)        \
	X(inflate)              \
	X(inflateEnd)           \
	X(deflateInit2_)        \
	X(deflateReset)         \
	X(deflateParams)        \
	X(deflateSetDictionary) \
	X(deflate)              \
	X(deflateEnd)

struct npyio_zlib {
#define X(name) __typeof__(name) *name;
	NPYIO_ZLIB_FUNCTIONS(X)
#undef X
};

/*
 * npyio_zlib_load() loads the library, if it is not loaded yet, which 'what'
 * cannot be had without; npyio_zlib() is its functions from then on.  Not while
 * other threads may do the same.
 *
 * Returns TSL_OK; TSL_EIO.
 */
enum tsl_status TSL_MUST_USE npyio_zlib_load(const char *what,
					     struct tsl_error *err);
const struct npyio_zlib *npyio_zlib(void);

#endif /* NPYIO_ZLIB_H */
