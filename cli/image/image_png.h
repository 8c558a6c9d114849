/*
 * image_png.h - a picture as PNG
 */
#ifndef CLI_IMAGE_PNG_H
#define CLI_IMAGE_PNG_H

#include "picture.h"

/*
 * image_write_png() writes a picture with libpng, which is looked for only
 * now.  Returns TSL_OK; TSL_EIO where there is none, or as the writer.
 */
enum tsl_status TSL_MUST_USE image_write_png(struct picture *m,
					     struct npyio_writer *out,
					     struct tsl_error *err);

#endif /* CLI_IMAGE_PNG_H */
