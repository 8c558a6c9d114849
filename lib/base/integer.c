/*
 * integer.c - integers as text
 */
#include "integer.h"

#include "ascii.h"

enum tsl_status
tsl_parse_int64(const char *text, size_t len, int64_t *value)
{
	bool minus = len > 0 && text[0] == '-';
	size_t i = minus;
	int64_t v = 0;
	bool fits = true;

	if (i == len || (text[i] == '0' && len > i + 1))
		return TSL_ESYNTAX;
	for (; i < len; i++) {
		if (!tsl_is_digit(text[i]))
			return TSL_ESYNTAX;
		/* Summed downwards: INT64_MIN has no positive twin. */
		fits = fits && !__builtin_mul_overflow(v, 10, &v) &&
		       !__builtin_sub_overflow(v, text[i] - '0', &v);
	}
	if (fits && !minus)
		fits = !__builtin_sub_overflow(0, v, &v);
	*value = fits ? v : minus ? INT64_MIN : INT64_MAX;
	return fits ? TSL_OK : TSL_EOVERFLOW;
}
