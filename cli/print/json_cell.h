/*
 * json_cell.h - plain elements as JSON values
 *
 * They are what Python's tolist() makes of them: a float of 4 bytes is the
 * double that it is.  What is no number, or no time, is null; a date is its
 * text, as a string; a complex number is a pair; raw bytes are hexadecimal.
 */
#ifndef CLI_JSON_CELL_H
#define CLI_JSON_CELL_H

#include "cell.h"

/* json_cell_write() writes n elements, commas between them. */
void json_cell_write(const struct cell_style *style,
		     const struct element_format *f, const char *bytes,
		     int64_t n, struct text_out *out);

/* json_cell_text() writes s[0, len), in UTF-8, as a string. */
void json_cell_text(const char *s, size_t len, struct text_out *out);

#endif /* CLI_JSON_CELL_H */
