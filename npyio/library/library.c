/*
 * library.c - functions of a library that is loaded when it is needed
 */
#include "library.h"

#include <dlfcn.h>
#include <pthread.h>
#include <string.h>

/* Threads that look at a file may be the first to write JSON. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* ISO C knows no conversion between the two kinds of pointer. */
static bool
look_up(void *library, const struct npyio_symbol *symbol)
{
	void *found = dlsym(library, symbol->name);

	memcpy(symbol->function, &found, symbol->size);
	return found != NULL;
}

static bool
load(struct npyio_library *l)
{
	void *library = dlopen(l->name, RTLD_LAZY | RTLD_LOCAL);
	bool found = library != NULL;

	for (size_t i = 0; i < l->nsymbols && found; i++)
		found = look_up(library, &l->symbols[i]);
	return found;
}

enum tsl_status
npyio_library_load(struct npyio_library *l, const char *what,
		   struct tsl_error *err)
{
	enum tsl_status status = TSL_OK;

	pthread_mutex_lock(&lock);
	if (!l->loaded)
		l->loaded = load(l);
	if (!l->loaded)
		status = tsl_fail(err, TSL_EIO, "%s needs a library: %s", what,
				  dlerror());
	pthread_mutex_unlock(&lock);
	return status;
}
