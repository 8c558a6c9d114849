/*
 * text_out.h - text on its way to a writer, in order
 *
 * Text that belongs behind other text, which is not there yet, has no writer:
 * it is kept, and its maker writes it.
 *
 * What fails is remembered, not reported at each step: what is written after
 * it is dropped, and 'status' is asked once in a while.
 */
#ifndef CLI_TEXT_OUT_H
#define CLI_TEXT_OUT_H

#include "npyio/output/writer.h"

struct text_out {
	struct npyio_writer *to; /* NULL: the text is kept */
	char *bytes;
	size_t len, capacity;
	int64_t written;
	enum tsl_status status;
	struct tsl_error *err;
};

/* text_out_init() gets a buffer; close it.  Returns TSL_OK; TSL_EMEMORY. */
enum tsl_status TSL_MUST_USE text_out_init(struct text_out *out,
					   struct npyio_writer *to,
					   struct tsl_error *err);
void text_out_close(struct text_out *out);

/* text_out_flush() writes what there is, and is due at the end. */
void text_out_flush(struct text_out *out);

/* text_out_make_room() is for text_out_room(). */
void text_out_make_room(struct text_out *out);

/*
 * text_out_room() is where the next n bytes go, at most TEXT_OUT_MAX of them;
 * text_out_upto() says up to where they were written.
 */
#define TEXT_OUT_MAX (256 * 1024)
static inline char *
text_out_room(struct text_out *out, size_t n)
{
	if (out->capacity - out->len < n)
		text_out_make_room(out);
	return out->bytes + out->len;
}

static inline void
text_out_upto(struct text_out *out, const char *end)
{
	out->len = (size_t)(end - out->bytes);
}

static inline void
text_out_char(struct text_out *out, char c)
{
	*text_out_room(out, 1) = c;
	out->len++;
}

#endif /* CLI_TEXT_OUT_H */
