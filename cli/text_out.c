/*
 * text_out.c - text on its way to a writer, in order
 */
#include "text_out.h"

#include <stdlib.h>

#define CAPACITY (2 * TEXT_OUT_MAX)

enum tsl_status
text_out_init(struct text_out *out, struct npyio_writer *to,
	      struct tsl_error *err)
{
	*out = (struct text_out){ .to = to, .capacity = CAPACITY, .err = err };
	out->bytes = malloc(CAPACITY);
	return out->bytes ? TSL_OK
			  : tsl_fail(err, TSL_EMEMORY, "out of memory");
}

void
text_out_close(struct text_out *out)
{
	free(out->bytes);
	out->bytes = NULL;
}

void
text_out_flush(struct text_out *out)
{
	if (!out->status && out->len > 0)
		out->status = npyio_writer_put(out->to, out->bytes, out->len,
					       out->written, out->err);
	out->written += (int64_t)out->len;
	out->len = 0;
}
