/*
 * value.h - one element from the text of its cell
 */
#ifndef CLI_PARSE_VALUE_H
#define CLI_PARSE_VALUE_H

#include "lib/base/powers.h"
#include "schema.h"

#include <stddef.h>

/*
 * value_scan() reads the integer or the real number, of at most 8 bytes, that
 * text[0, len) begins with.  Returns its bytes; 0 if there is none, or it does
 * not fit, or the column is another: that is value_parse()'s to say.
 */
size_t value_scan(const struct column *c, const struct tsl_powers *powers,
		  const char *text, size_t len, char *element);

/*
 * value_parse() makes an element of all of a cell; see scalar.h, but that each
 * number is rounded once, to the type; times are date.h's, "NaT", or whole
 * numbers of their unit.  Returns false if it is none, or does not fit.
 */
bool value_parse(const struct column *c, const struct tsl_powers *powers,
		 const char *text, size_t len, char *element);

/*
 * value_width() is how wide the element of a cell has to be, of kind S in
 * bytes, of U in characters; -1 if there is no such element.
 */
int64_t value_width(const struct column *c, const char *text, size_t len);

/* value_is_number() says whether a cell is a floating-point number. */
bool value_is_number(const char *text, size_t len);

#endif /* CLI_PARSE_VALUE_H */
