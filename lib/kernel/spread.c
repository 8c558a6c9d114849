/*
 * spread.c - elements to places that are not side by side
 *
 * Each element is stored by itself: between the places may lie what somebody
 * else is writing meanwhile.
 */
#include "types.h"

#include <string.h>

#define SPREAD(w)                                                              \
	static void spread_u##w(SPREAD_ARGS)                                   \
	{                                                                      \
		for (int64_t r = 0; r < rows; r++) {                           \
			char *d = dst + r * dst_row;                           \
			const char *s = src + r * src_row;                     \
                                                                               \
			for (int64_t i = 0; i < n; i++)                        \
				memcpy(d + i * dst_step, s + i * src_step, w); \
		}                                                              \
	}

SPREAD(1)
SPREAD(2)
SPREAD(4)
SPREAD(8)
SPREAD(16)

tsl_spread *
tsl_spread_for(int64_t width)
{
	static tsl_spread *const spreads[] = { spread_u1, spread_u2, spread_u4,
					       spread_u8, spread_u16 };

	return spreads[__builtin_ctzll((unsigned long long)width)];
}
