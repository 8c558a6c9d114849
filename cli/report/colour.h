/*
 * colour.h - whether what is shown may be coloured
 */
#ifndef CLI_COLOUR_H
#define CLI_COLOUR_H

#include <stdbool.h>

/*
 * colour_is_forbidden() says whether NO_COLOR is set (no-color.org), and
 * colour_is_missing() whether TERM is "dumb".
 */
bool colour_is_forbidden(void);
bool colour_is_missing(void);

/*
 * colour_is_welcome() says whether 'fd' is a terminal that is known to have
 * colours, and whose owner wants them.
 */
bool colour_is_welcome(int fd);

#endif /* CLI_COLOUR_H */
