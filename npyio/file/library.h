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

/* One for member 'name' of a struct of functions, by its name or its macro's.
 */
#define NPYIO_SYMBOL(name, member)                             \
	{                                                      \
		NPYIO_TEXT_OF(name), &(member), sizeof(member) \
	}
#define NPYIO_TEXT_OF(name) #name

/*
 * npyio_library_load() loads the library 'name', for good, and stores n of its
 * functions; 'what' is told, which cannot be had without them.
 *
 * Returns TSL_OK; TSL_EIO.
 */
enum tsl_status TSL_MUST_USE
npyio_library_load(const char *name, const struct npyio_symbol symbols[],
		   size_t n, const char *what, struct tsl_error *err);

#endif /* NPYIO_LIBRARY_H */
