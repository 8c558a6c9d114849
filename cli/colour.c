/*
 * colour.c - whether what is shown may be coloured
 */
#include "colour.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

bool
colour_is_welcome(int fd)
{
	const char *no = getenv("NO_COLOR");
	const char *term = getenv("TERM");

	return (!no || !*no) && term && *term && strcmp(term, "dumb") != 0 &&
	       isatty(fd);
}
