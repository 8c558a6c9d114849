/*
 * fill.c - updates that are one element, repeated
 */
#include "fill.h"

#include "lib/base/minmax.h"

#include <string.h>

/* What is there already, whole elements, is doubled until there is enough. */
void
npyio_fill(char *dst, int64_t first, int64_t n, const char *fill, int64_t size)
{
	int64_t done = 0;

	while (done < n && done < size) {
		int64_t at = (first + done) % size;
		int64_t some =
			tsl_min(tsl_min(size - at, n - done), size - done);

		memcpy(dst + done, fill + at, (size_t)some);
		done += some;
	}
	while (done < n) {
		int64_t some = tsl_min(done, n - done);

		memcpy(dst + done, dst, (size_t)some);
		done += some;
	}
}
