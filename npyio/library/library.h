/*
 * library.h - functions of a library that is loaded when it is needed
 *
 * A library that the program is linked with costs every start 0.04 ms, and is
 * missed where nobody asks for what it does.
 */
#ifndef NPYIO_LIBRARY_H
#define NPYIO_LIBRARY_H

#include "lib/base/status.h"

#include <stdbool.h>
#include <stddef.h>

/* A function, and where a pointer to it goes. */
struct npyio_symbol {
	const char *name;
	void *function;
	size_t size; /* of the pointer */
};

/* One for a member of a struct; 'name' may be a macro for the real one. */
#define NPYIO_SYMBOL(name, member)                          \
	{                                                   \
		NPYIO_TEXT(name), &(member), sizeof(member) \
	}
#define NPYIO_TEXT(name) #name

struct npyio_library {
	const char *name; /* of its file, as the loader looks for it */
	const struct npyio_symbol *symbols;
	size_t nsymbols;
	bool loaded;
};

/*
 * npyio_library_load() loads it, for good, if it is not loaded yet, and stores
 * its functions; 'what' is told, which cannot be had without them.  Of several
 * threads that ask at once, one does it, and the others wait.
 *
 * Returns TSL_OK; TSL_EIO.
 */
enum tsl_status TSL_MUST_USE npyio_library_load(struct npyio_library *l,
						const char *what,
						struct tsl_error *err);

#endif /* NPYIO_LIBRARY_H */
