/*
 * utf8.c - text as code points
 */
#include "utf8.h"

uint32_t
tsl_utf8_next(const char *s, size_t len, size_t *i)
{
	/* smallest code point that needs so many bytes */
	static const uint32_t least[] = { 0, 0, 0x80, 0x800, 0x10000 };
	unsigned char lead = (unsigned char)s[(*i)++];
	size_t n = lead < 0x80       ? 1
		   : lead >> 5 == 6  ? 2
		   : lead >> 4 == 14 ? 3
		   : lead >> 3 == 30 ? 4
				     : 0;
	uint32_t c = n > 1 ? lead & (0x7Fu >> n) : lead;

	if (n == 0 || n - 1 > len - *i)
		return UINT32_MAX;
	for (size_t k = 0; k + 1 < n; k++) {
		unsigned char next = (unsigned char)s[*i + k];

		if ((next & 0xC0) != 0x80)
			return UINT32_MAX;
		c = c << 6 | (next & 0x3F);
	}
	if (c < least[n] || c > 0x10FFFF || (c >= 0xD800 && c <= 0xDFFF))
		return UINT32_MAX;
	*i += n - 1;
	return c;
}

bool
tsl_utf8_is(const char *s, size_t len)
{
	for (size_t i = 0; i < len;)
		if (tsl_utf8_next(s, len, &i) == UINT32_MAX)
			return false;
	return true;
}
