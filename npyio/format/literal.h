/*
 * literal.h - tokens of the Python literals that .npy headers are made of
 *
 * Strings, integers, True and False, brackets, commas and colons; blanks are
 * space, tab, carriage return and newline.  Nothing is ever evaluated.
 */
#ifndef NPYIO_LITERAL_H
#define NPYIO_LITERAL_H

#include "lib/base/status.h"
#include "text.h"

enum npyio_token {
	NPYIO_TOKEN_END,
	NPYIO_TOKEN_SIGN, /* one of {}()[],: */
	NPYIO_TOKEN_STRING,
	NPYIO_TOKEN_INT,
	NPYIO_TOKEN_TRUE,
	NPYIO_TOKEN_FALSE,
};

struct npyio_literal {
	const char *text;
	size_t len;
	size_t pos; /* behind the current token */
	int version; /* of the format: text is Latin-1, from 3 on UTF-8 */

	enum npyio_token token; /* the current one */
	char sign;
	size_t start; /* of the current token */
	struct npyio_text string; /* its value in UTF-8, no NUL within */
	int64_t value; /* of an int; saturated if it does not fit */
	bool fits; /* of an int: in int64_t */
};

/*
 * npyio_literal_next() makes the next token the current one.
 *
 * Returns TSL_OK; TSL_EBAD_HEADER; TSL_EMEMORY.
 */
enum tsl_status TSL_MUST_USE npyio_literal_next(struct npyio_literal *lit,
						struct tsl_error *err);

/* npyio_literal_is() says whether the current token is the sign 'c'. */
bool npyio_literal_is(const struct npyio_literal *lit, char c);

/* npyio_literal_expect() takes the sign 'c', or fails. */
enum tsl_status TSL_MUST_USE npyio_literal_expect(struct npyio_literal *lit,
						  char c,
						  struct tsl_error *err);

/*
 * npyio_literal_unexpected() fills 'err' with what was wanted, and what stands
 * there instead, and returns 'code'.
 */
enum tsl_status npyio_literal_unexpected(const struct npyio_literal *lit,
					 enum tsl_status code,
					 const char *wanted,
					 struct tsl_error *err);

/*
 * npyio_literal_repr() appends s[0, len), UTF-8, as Python's repr() has it, and
 * npyio_literal_repr_char() one character of a string in such quotes.
 */
void npyio_literal_repr(struct npyio_text *out, const char *s, size_t len);
void npyio_literal_repr_char(struct npyio_text *out, uint32_t c, char quote);

#endif /* NPYIO_LITERAL_H */
