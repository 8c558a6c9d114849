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

#endif /* NPYIO_JSON_SYNTAX_H */
