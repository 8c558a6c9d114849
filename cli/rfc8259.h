/*
 * rfc8259.h - whether a text is JSON
 */
#ifndef CLI_RFC8259_H
#define CLI_RFC8259_H

#include <stdbool.h>
#include <stddef.h>

/*
 * rfc8259_is_json() says whether the text is one JSON value by the letter of
 * RFC 8259: UTF-8 without a byte order mark, and nothing but blanks around it.
 * Values nested too deep for any use are refused.
 */
bool rfc8259_is_json(const char *text, size_t len);

#endif /* CLI_RFC8259_H */
