/*
 * library.c - functions of a library that is loaded when it is needed
 */
#include "library.h"

#include <dlfcn.h>
#include <string.h>

enum tsl_status
npyio_library_load(const char *name, const struct npyio_symbol symbols[],
		   size_t n, const char *what, struct tsl_error *err)
{
	void *library = dlopen(name, RTLD_LAZY | RTLD_LOCAL);

	for (size_t i = 0; library && i < n; i++) {
		void *found = dlsym(library, symbols[i].name);

		/* ISO C knows no conversion between the two kinds of pointer.
		 */
		memcpy(symbols[i].function, &found, symbols[i].size);
		if (!found)
			library = NULL;
	}
	if (library)
		return TSL_OK;
	return tsl_fail(err, TSL_EIO, "%s needs a library: %s", what,
			dlerror());
}
