/*
 * cell.h - one plain element as a cell of a table
 */
#ifndef CLI_CELL_H
#define CLI_CELL_H

#include "element.h"
#include "print_options.h"
#include "text_out.h"

struct cell_style;

/* What is written in another way in other kinds of text. */
struct cell_notation {
	const char *boolean[2], *not_a_time;
	const char *quote; /* around a date */
	char *(*put_real)(char *s, const struct cell_style *style,
			  const struct tsl_dtype *t, const char *bytes,
			  int nbytes);
	char *(*put_complex)(char *s, const struct cell_style *style,
			     const struct tsl_dtype *t, const char *bytes);
	void (*put_bytes)(const struct cell_style *style,
			  const struct tsl_dtype *t, const char *bytes,
			  struct text_out *out);
};

struct cell_style {
	const struct cell_notation *notation; /* NULL: that of tables */
	enum print_form form;
	char separator;
	int precision; /* -1: as many digits as it takes */
	bool is_safe; /* for a terminal: no control character gets through */
};

/*
 * cell_write() writes n elements as cells, separators between them;
 * cell_write_rows() new lines between rows of 'row' elements, of which the
 * first is number 'at' of its row.
 */
void cell_write(const struct cell_style *style, const struct element_format *f,
		const char *bytes, int64_t n, struct text_out *out);
void cell_write_rows(const struct cell_style *style,
		     const struct element_format *f, const char *bytes,
		     int64_t n, int64_t row, int64_t at, struct text_out *out);

/*
 * cell_put_real() writes the number of 2 to 16 bytes at 'bytes', of which there
 * may be several in an element of type 't', and returns where its text ends.
 */
char *cell_put_real(char *s, const struct cell_style *style,
		    const struct tsl_dtype *t, const char *bytes, int nbytes);

/* cell_put_word() writes a word likewise. */
char *cell_put_word(char *s, const char *word);

/* cell_write_hex() writes n bytes in hexadecimal. */
void cell_write_hex(const char *bytes, int64_t n, struct text_out *out);

/* cell_write_name() writes the name of a column, in UTF-8. */
void cell_write_name(const struct cell_style *style, const char *name,
		     size_t len, struct text_out *out);

#endif /* CLI_CELL_H */
