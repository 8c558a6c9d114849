/*
 * image_terminal.h - a picture drawn on a terminal
 */
#ifndef CLI_IMAGE_TERMINAL_H
#define CLI_IMAGE_TERMINAL_H

#include "picture.h"

/* image_terminal_check() is TSL_EUSAGE where colours are not wanted. */
enum tsl_status TSL_MUST_USE image_terminal_check(struct tsl_error *err);

/*
 * image_draw() draws a picture as wide as the terminal that is written to, or
 * as high where that is less, with two pixels in each character.
 */
enum tsl_status TSL_MUST_USE image_draw(struct picture *m,
					struct npyio_writer *out,
					struct tsl_error *err);

#endif /* CLI_IMAGE_TERMINAL_H */
