/*
 * buffer.c - large buffers
 */
#define _GNU_SOURCE /* madvise */
#include "buffer.h"

#include <stdlib.h>
#include <sys/mman.h>

#define HUGE_PAGE ((size_t)2 * 1024 * 1024)

void *
npyio_buffer_new(size_t n)
{
	size_t whole = (n + HUGE_PAGE - 1) / HUGE_PAGE * HUGE_PAGE;
	void *buffer;

	if (n < HUGE_PAGE || whole < n)
		return malloc(n ? n : 1);
	buffer = aligned_alloc(HUGE_PAGE, whole);
	/* Only a wish. */
	if (buffer)
		(void)madvise(buffer, n / HUGE_PAGE * HUGE_PAGE, MADV_HUGEPAGE);
	return buffer;
}
