/*
 * curl.c - the functions of libcurl that there is use for
 */
#include "curl.h"

#include "library.h"

#include <pthread.h>

static struct npyio_curl functions;

static const struct npyio_symbol symbols[] = {
#define X(type, name, arguments) NPYIO_SYMBOL(curl_##name, functions.name),
	NPYIO_CURL_FUNCTIONS(X)
#undef X
};

static struct npyio_library library = {
	.name = "libcurl.so.4",
	.symbols = symbols,
	.nsymbols = sizeof(symbols) / sizeof(*symbols),
};

/* It is to be told once that it is there. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static bool is_ready;

enum tsl_status
npyio_curl_load(struct tsl_error *err)
{
	enum tsl_status status = npyio_library_load(
		&library, "a URL (Debian has it as libcurl4)", err);

	if (status)
		return status;
	pthread_mutex_lock(&lock);
	if (!is_ready)
		is_ready =
			functions.global_init(CURL_GLOBAL_DEFAULT) == CURL_OK;
	if (!is_ready)
		status = tsl_fail(err, TSL_EIO, "libcurl cannot be used");
	pthread_mutex_unlock(&lock);
	return status;
}

const struct npyio_curl *
npyio_curl(void)
{
	return &functions;
}
