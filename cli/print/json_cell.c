/*
 * json_cell.c - plain elements as JSON values
 */
#include "json_cell.h"

#include "digits.h"
#include "lib/base/utf8.h"
#include "npyio/format/text.h"

#include <math.h>
#include <string.h>

#define NO_CHAR 0xFFFD /* what is no character is replaced by this one */

static const char hex[] = "0123456789abcdef";

/* ---- numbers ------------------------------------------------------------- */

static char *
put_real(char *s, const struct cell_style *style, const struct tsl_dtype *t,
	 const char *bytes, int nbytes)
{
	long double v = element_real(t, bytes, nbytes);
	double twice = (double)v;
	uint64_t bits;

	if (!isfinite(v))
		return cell_put_word(s, "null");
	if (t->number || nbytes > 8 || style->precision >= 0)
		return cell_put_real(s, style, t, bytes, nbytes);
	memcpy(&bits, &twice, sizeof(bits));
	return digits_real(s, bits, real_type_of(t, sizeof(bits)));
}

static char *
put_complex(char *s, const struct cell_style *style, const struct tsl_dtype *t,
	    const char *bytes)
{
	int nbytes = (int)t->size / 2;

	*s++ = '[';
	s = put_real(s, style, t, bytes, nbytes);
	*s++ = ',';
	s = put_real(s, style, t, bytes + nbytes, nbytes);
	*s++ = ']';
	return s;
}

/* ---- strings ------------------------------------------------------------- */

/* As \uXXXX, beyond 16 bits as a pair of them. */
static void
put_escape(uint32_t c, struct text_out *out)
{
	if (c >= 0x10000) {
		put_escape(0xD800 + ((c - 0x10000) >> 10), out);
		c = 0xDC00 + (c & 0x3FF);
	}
	text_out_char(out, '\\');
	text_out_char(out, 'u');
	for (int shift = 12; shift >= 0; shift -= 4)
		text_out_char(out, hex[c >> shift & 15]);
}

/* What a terminal should not see is escaped, too. */
static void
put_char(uint32_t c, struct text_out *out)
{
	char text[NPYIO_UTF8_MAX];
	size_t n;

	if (c > 0x10FFFF || c >> 11 == 0x1B)
		c = NO_CHAR;
	if (c == '"' || c == '\\')
		text_out_char(out, '\\');
	if (!npyio_utf8_is_safe(c)) {
		put_escape(c, out);
		return;
	}
	n = npyio_utf8_encode(text, c);
	for (size_t i = 0; i < n; i++)
		text_out_char(out, text[i]);
}

void
json_cell_text(const char *s, size_t len, struct text_out *out)
{
	text_out_char(out, '"');
	for (size_t i = 0; i < len;)
		put_char(tsl_utf8_next(s, len, &i), out);
	text_out_char(out, '"');
}

static void
put_unicode(const struct tsl_dtype *t, const char *bytes, struct text_out *out)
{
	size_t len = element_len(t, bytes);

	text_out_char(out, '"');
	for (size_t i = 0; i < len; i++)
		put_char(element_char(t, bytes, i), out);
	text_out_char(out, '"');
}

static void
put_void(const char *bytes, int64_t n, struct text_out *out)
{
	text_out_char(out, '"');
	cell_write_hex(bytes, n, out);
	text_out_char(out, '"');
}

static void
put_bytes(const struct cell_style *style, const struct tsl_dtype *t,
	  const char *bytes, struct text_out *out)
{
	(void)style;
	if (t->kind == 'S')
		json_cell_text(bytes, element_len(t, bytes), out);
	else if (t->kind == 'U')
		put_unicode(t, bytes, out);
	else
		put_void(bytes, t->size, out);
}

/* ---- cells --------------------------------------------------------------- */

static const struct cell_notation notation = {
	.boolean = { "false", "true" },
	.not_a_time = "null",
	.quote = "\"",
	.put_real = put_real,
	.put_complex = put_complex,
	.put_bytes = put_bytes,
};

void
json_cell_write(const struct cell_style *style, const struct element_format *f,
		const char *bytes, int64_t n, struct text_out *out)
{
	struct cell_style json = *style;

	json.notation = &notation;
	json.separator = ',';
	cell_write(&json, f, bytes, n, out);
}
