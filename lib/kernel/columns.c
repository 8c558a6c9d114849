/*
 * columns.c - narrow rows, each to its place in wider ones
 */
#include "types.h"

#include <string.h>

#define PUT(w)                                                                \
	static void put_##w(char *dst, int64_t dst_row, const char *src,      \
			    size_t nbytes, int64_t rows)                      \
	{                                                                     \
		(void)nbytes;                                                 \
		for (int64_t r = 0; r < rows; r++)                            \
			memcpy(dst + r * dst_row, src + r * (int64_t)(w), w); \
	}

PUT(1)
PUT(2)
PUT(3)
PUT(4)
PUT(5)
PUT(6)
PUT(7)
PUT(8)
PUT(9)
PUT(10)
PUT(11)
PUT(12)
PUT(13)
PUT(14)
PUT(15)
PUT(16)

static void
put_any(char *dst, int64_t dst_row, const char *src, size_t nbytes,
	int64_t rows)
{
	for (int64_t r = 0; r < rows; r++)
		memcpy(dst + r * dst_row, src + r * (int64_t)nbytes, nbytes);
}

void
tsl_put_columns(char *dst, int64_t dst_row, const char *src, size_t nbytes,
		int64_t rows)
{
	static void (*const put[])(char *, int64_t, const char *, size_t,
				   int64_t) = {
		NULL,   put_1,  put_2,  put_3,  put_4,  put_5,
		put_6,  put_7,  put_8,  put_9,  put_10, put_11,
		put_12, put_13, put_14, put_15, put_16,
	};

	if (nbytes < sizeof(put) / sizeof(put[0]) && put[nbytes])
		put[nbytes](dst, dst_row, src, nbytes, rows);
	else
		put_any(dst, dst_row, src, nbytes, rows);
}
