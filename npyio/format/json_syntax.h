/*
 * json_syntax.h - whether a text is JSON
 */
#ifndef NPYIO_JSON_SYNTAX_H
#define NPYIO_JSON_SYNTAX_H

#include <stdbool.h>
#include <stddef.h>

/*
 * npyio_json_is_valid() says whether the text is one JSON value by the letter
 * of RFC 8259: UTF-8 without a byte order mark, and nothing but blanks around
 * it. Values nested too deep for any use are refused.
 */
bool npyio_json_is_valid(const char *text, size_t len);

/*
 * npyio_json_has_nul() says whether a string of such a text has a NUL, at which
 * a string of C, and so a name, would end.  Only strings have backslashes.
 */
bool npyio_json_has_nul(const char *text, size_t len);

#endif /* NPYIO_JSON_SYNTAX_H */
