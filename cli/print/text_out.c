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
	return out->bytes ? TSL_OK : tsl_no_memory(err);
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

/* What there is no memory for is lost, and the rest with it. */
static void
grow(struct text_out *out)
{
	char *bytes = realloc(out->bytes, 2 * out->capacity);

	if (!bytes) {
		out->status = tsl_no_memory(out->err);
		out->len = 0;
		return;
	}
	out->bytes = bytes;
	out->capacity *= 2;
}

void
text_out_make_room(struct text_out *out)
{
	if (out->to)
		text_out_flush(out);
	else if (out->status)
		out->len = 0;
	else
		grow(out);
}
