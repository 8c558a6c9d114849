/*
 * image.c - a result as a picture
 */
#include "image.h"

#include "image_png.h"
#include "image_terminal.h"

#include <unistd.h>

enum tsl_status
image_job(const struct npyio_transfer *t, const struct image_how *how,
	  struct tsl_error *err)
{
	bool is_terminal = isatty(npyio_writer_descriptor(t->out));
	enum tsl_status status = picture_check(&t->job->out, err);
	struct picture m;

	if (!status && is_terminal)
		status = image_terminal_check(err);
	if (status)
		return status;
	status = picture_open(&m, t, how, err);
	if (!status)
		status = is_terminal ? image_draw(&m, t->out, err)
				     : image_write_png(&m, t->out, err);
	picture_close(&m);
	return status;
}
