/*
 * lex.c - a slice string cut into tokens
 *
 * The language is the part of what may stand between the brackets of a[...]
 * that means a basic index; NumPy takes all that is taken here, with the same
 * result.  Python's other spellings of an integer (+1, 0x10, 1_000, 00) and
 * everything that would have to be evaluated are refused.
 */
#include "lex.h"

#include "lib/base/ascii.h"
#include "lib/base/integer.h"

#include <string.h>

static enum tsl_status
lex_int(struct tsl_lexer *lex, struct tsl_token *token, struct tsl_error *err)
{
	const char *text = lex->text + token->pos;
	int len = 1;
	enum tsl_status status;

	/* Letters too: 1_000, 0x10 and 2L are shown whole as one mistake. */
	while (token->pos + len < lex->len && tsl_is_word(text[len]))
		len++;
	status = tsl_parse_int64(text, (size_t)len, &token->value);
	if (status == TSL_ESYNTAX)
		return tsl_fail_at(err, status, token->pos, len,
				   "'%.*s' is not a decimal integer", len,
				   text);
	token->kind = TSL_TOKEN_INT;
	token->len = len;
	token->overflow = status == TSL_EOVERFLOW;
	return TSL_OK;
}

static enum tsl_status
lex_word(struct tsl_lexer *lex, struct tsl_token *token, struct tsl_error *err)
{
	static const struct {
		const char *word;
		enum tsl_token_kind kind;
	} words[] = {
		{ "Ellipsis", TSL_TOKEN_ELLIPSIS },
		{ "None", TSL_TOKEN_NONE },
		{ "newaxis", TSL_TOKEN_NEWAXIS },
		{ "np.newaxis", TSL_TOKEN_NEWAXIS },
		{ "tf.newaxis", TSL_TOKEN_NEWAXIS },
	};
	const char *text = lex->text + token->pos;
	int len = 1;

	while (token->pos + len < lex->len &&
	       (tsl_is_word(text[len]) || text[len] == '.'))
		len++;
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		if (strlen(words[i].word) == (size_t)len &&
		    memcmp(words[i].word, text, (size_t)len) == 0) {
			token->kind = words[i].kind;
			token->len = len;
			return TSL_OK;
		}
	}
	return tsl_fail_at(err, TSL_ESYNTAX, token->pos, len,
			   "'%.*s' means nothing in a slice", len, text);
}

static enum tsl_status
lex_sign(struct tsl_lexer *lex, struct tsl_token *token, struct tsl_error *err)
{
	static const char signs[] = ":,[]";
	static const enum tsl_token_kind kinds[] = { TSL_TOKEN_COLON,
						     TSL_TOKEN_COMMA,
						     TSL_TOKEN_OPEN,
						     TSL_TOKEN_CLOSE };
	const char *text = lex->text + token->pos;
	const char *sign = memchr(signs, text[0], sizeof(signs) - 1);

	if (sign) {
		token->kind = kinds[sign - signs];
		token->len = 1;
		return TSL_OK;
	}
	if (lex->len - token->pos >= 3 && memcmp(text, "...", 3) == 0) {
		token->kind = TSL_TOKEN_ELLIPSIS;
		token->len = 3;
		return TSL_OK;
	}
	/* A whole character, should it have several bytes in UTF-8. */
	token->len = 1;
	while (token->pos + token->len < lex->len && token->len < 4 &&
	       (text[0] & 0x80) && (text[token->len] & 0xC0) == 0x80)
		token->len++;
	return tsl_fail_at(err, TSL_ESYNTAX, token->pos, token->len,
			   "unexpected '%.*s'", token->len, text);
}

enum tsl_status
tsl_lex(struct tsl_lexer *lex, struct tsl_token *token, struct tsl_error *err)
{
	enum tsl_status status;
	char c;

	while (lex->pos < lex->len &&
	       (lex->text[lex->pos] == ' ' || lex->text[lex->pos] == '\t'))
		lex->pos++;
	*token = (struct tsl_token){ .kind = TSL_TOKEN_END, .pos = lex->pos };
	if (lex->pos == lex->len)
		return TSL_OK;
	c = lex->text[lex->pos];
	if (tsl_is_digit(c) || c == '-')
		status = lex_int(lex, token, err);
	else if (tsl_is_word(c))
		status = lex_word(lex, token, err);
	else
		status = lex_sign(lex, token, err);
	lex->pos = token->pos + token->len;
	return status;
}
