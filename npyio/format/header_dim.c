/*
 * header_dim.c - another size in a header that stays as it is otherwise
 */
#include "header.h"

#include "literal.h"

#include <stdio.h>
#include <string.h>

/* Makes the size of an axis the current token of a header that was parsed. */
static enum tsl_status
find_dim(struct npyio_literal *lit, int axis, struct tsl_error *err)
{
	bool is_key = false;
	enum tsl_status status = npyio_literal_next(lit, err);

	/* Only behind keys are there colons. */
	while (!status && lit->token != NPYIO_TOKEN_END &&
	       !(is_key && npyio_literal_is(lit, ':'))) {
		is_key = lit->token == NPYIO_TOKEN_STRING &&
			 strcmp(lit->string.s, "shape") == 0;
		status = npyio_literal_next(lit, err);
	}
	/* The colon, the parenthesis; a size and a comma for each before. */
	for (int i = 0; i < 2 + 2 * axis && !status; i++)
		status = npyio_literal_next(lit, err);
	if (!status && lit->token != NPYIO_TOKEN_INT)
		status = npyio_literal_unexpected(lit, TSL_EBAD_HEADER,
						  "a size in the shape", err);
	return status;
}

/* Where the blanks begin that end the text, but for its newline. */
static size_t
end_of_words(const char *text, size_t end)
{
	while (end > 0 && text[end - 1] == ' ')
		end--;
	return end;
}

/* Has 'digits' stand where text[lo, hi) does, at the cost of blanks. */
static enum tsl_status
replace(char *text, size_t len, size_t lo, size_t hi, const char *digits,
	struct tsl_error *err)
{
	size_t end = len - (len > 0 && text[len - 1] == '\n');
	size_t words = end_of_words(text, end);
	size_t n = strlen(digits);

	if (words - hi + lo + n > end)
		return tsl_fail(err, TSL_EBAD_HEADER,
				"its header has no room to grow");
	memmove(text + lo + n, text + hi, words - hi);
	memcpy(text + lo, digits, n);
	words = words - hi + lo + n;
	memset(text + words, ' ', end - words);
	return TSL_OK;
}

enum tsl_status
npyio_header_put_dim(char *header, size_t len, int axis, int64_t dim,
		     struct tsl_error *err)
{
	size_t prefix = header[6] == 1 ? 10 : 12;
	struct npyio_literal lit = { .text = header + prefix,
				     .len = len - prefix,
				     .version = header[6] };
	char digits[32];
	enum tsl_status status = find_dim(&lit, axis, err);

	snprintf(digits, sizeof(digits), "%lld", (long long)dim);
	/* Python 2 may have put an L behind it. */
	if (!status && lit.text[lit.pos - 1] == 'L')
		lit.pos--;
	if (!status)
		status = replace(header + prefix, len - prefix, lit.start,
				 lit.pos, digits, err);
	npyio_text_free(&lit.string);
	return status;
}
