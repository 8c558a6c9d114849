/*
 * library.c - functions of a library that is loaded when it is needed
 */
#include "library.h"

#include <dlfcn.h>
#include <pthread.h>
#include <string.h>

/* Of several threads that need one, one loads it. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* ISO C knows no conversion between the two kinds of pointer. */
static bool
look_up(void *library, const struct npyio_symbol *symbol)
{
	void *found = dlsym(library, symbol->name);

	memcpy(symbol->function, &found, symbol->size);
	return found != NULL;
}

static enum tsl_status
load(struct npyio_library *l, const char *what, struct tsl_error *err)
{
	void *library;

	if (l->loaded)
		return TSL_OK;
	library = dlopen(l->name, RTLD_LAZY | RTLD_LOCAL);
	l->loaded = library != NULL;
	for (size_t i = 0; i < l->nsymbols && l->loaded; i++)
		l->loaded = look_up(library, &l->symbols[i]);
	return l->loaded ? TSL_OK
			 : tsl_fail(err, TSL_EIO, "%s needs a library: %s",
				    what, dlerror());
}

enum tsl_status
npyio_library_load(struct npyio_library *l, const char *what,
		   struct tsl_error *err)
{
	enum tsl_status status;

	pthread_mutex_lock(&lock);
	status = load(l, what, err);
	pthread_mutex_unlock(&lock);
	return status;
}
