/*
 * lex.h - a slice string cut into tokens
 *
 * Blanks are spaces and tabs.  Positions and lengths are in BYTES of the
 * text.  The text need not end in NUL; any byte may occur in it.
 */
#ifndef TSL_LEX_H
#define TSL_LEX_H

#include "lib/base/status.h"

#include <stddef.h>

enum tsl_token_kind {
	TSL_TOKEN_END,
	TSL_TOKEN_INT,
	TSL_TOKEN_COLON,
	TSL_TOKEN_COMMA,
	TSL_TOKEN_ELLIPSIS, /* ... or Ellipsis */
	TSL_TOKEN_NONE, /* None: a new axis, or in a range a bound left out */
	TSL_TOKEN_NEWAXIS, /* newaxis, np.newaxis, tf.newaxis */
	TSL_TOKEN_OPEN, /* [ */
	TSL_TOKEN_CLOSE, /* ] */
};

struct tsl_token {
	enum tsl_token_kind kind;
	int pos, len;
	int64_t value; /* of an int; saturated where it does not fit */
	bool overflow; /* an int that does not fit int64_t */
};

struct tsl_lexer {
	const char *text;
	int len;
	int pos;
};

/*
 * tsl_lex() stores the next token and moves behind it.  An integer that does
 * not fit is still a token: syntax is judged before values are.
 *
 * Returns TSL_OK, at the end of the text again and again with TSL_TOKEN_END;
 * TSL_ESYNTAX for what is no token, with its place.
 */
enum tsl_status TSL_MUST_USE tsl_lex(struct tsl_lexer *lex,
				     struct tsl_token *token,
				     struct tsl_error *err);

#endif /* TSL_LEX_H */
