/*
 * colour.h - whether what is shown may be coloured
 */
#ifndef CLI_COLOUR_H
#define CLI_COLOUR_H

#include <stdbool.h>

/*
 * colour_is_welcome() says whether 'fd' is a terminal that has colours and
 * whose owner wants them: NO_COLOR is not set (no-color.org), and TERM is not
 * "dumb".
 */
bool colour_is_welcome(int fd);

#endif /* CLI_COLOUR_H */
