/*
 * cjson.h - the functions of cJSON that there is use for
 */
#ifndef NPYIO_CJSON_H
#define NPYIO_CJSON_H

#include "lib/base/status.h"

#include <cjson/cJSON.h>

#define CJSON_FUNCTIONS(X)     \
	X(InitHooks)           \
	X(CreateObject)        \
	X(CreateRaw)           \
	X(AddNullToObject)     \
	X(AddBoolToObject)     \
	X(AddStringToObject)   \
	X(AddRawToObject)      \
	X(AddObjectToObject)   \
	X(AddArrayToObject)    \
	X(AddItemToArray)      \
	X(PrintUnformatted)    \
	X(ParseWithLengthOpts) \
	X(IsArray)             \
	X(IsObject)            \
	X(GetStringValue)      \
	X(Delete)              \
	X(free)

struct npyio_cjson {
#define X(name) __typeof__(cJSON_##name) *name;
	CJSON_FUNCTIONS(X)
#undef X
};

/*
 * npyio_cjson_begin() loads the library, if it is not loaded yet, and stores
 * its functions.  Returns TSL_OK; TSL_EIO.
 *
 * npyio_cjson_is_whole() says whether there has been memory for all that was
 * made by this thread since; npyio_cjson_spoil() that there was not.
 */
enum tsl_status TSL_MUST_USE
npyio_cjson_begin(const struct npyio_cjson **functions, struct tsl_error *err);
bool npyio_cjson_is_whole(void);
void npyio_cjson_spoil(void);

#endif /* NPYIO_CJSON_H */
