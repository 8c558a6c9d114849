/*
 * colour.c - whether what is shown may be coloured
 */
#include "colour.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

bool
colour_is_forbidden(void)
{
	const char *no = getenv("NO_COLOR");

	return no && *no;
}

bool
colour_is_missing(void)
{
	const char *term = getenv("TERM");

	return term && strcmp(term, "dumb") == 0;
}

/* What does not say what it is gets nothing that it may not know. */
bool
colour_is_welcome(int fd)
{
	const char *term = getenv("TERM");

	return term && *term && !colour_is_missing() &&
	       !colour_is_forbidden() && isatty(fd);
}
