/*
 * image.h - a result as a picture
 */
#ifndef CLI_IMAGE_H
#define CLI_IMAGE_H

#include "picture.h"

/*
 * image_job() writes the output of t->job, which is in C order, to t->out: as
 * PNG, or drawn if that is a terminal.  Returns what picture_check() does;
 * TSL_EUSAGE where the terminal may not be drawn on; TSL_EIO.
 */
enum tsl_status TSL_MUST_USE image_job(const struct npyio_transfer *t,
				       const struct image_how *how,
				       struct tsl_error *err);

#endif /* CLI_IMAGE_H */
