/*
 * cjson.h - the functions of cJSON that there is use for
 */
#ifndef CLI_CJSON_H
#define CLI_CJSON_H

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

struct cjson {
#define X(name) __typeof__(cJSON_##name) *name;
	CJSON_FUNCTIONS(X)
#undef X
};

/*
 * cjson_load() loads the library, if it is not loaded yet, and stores its
 * functions.  Returns TSL_OK; TSL_EIO.
 */
enum tsl_status TSL_MUST_USE cjson_load(const struct cjson **functions,
					struct tsl_error *err);

#endif /* CLI_CJSON_H */
