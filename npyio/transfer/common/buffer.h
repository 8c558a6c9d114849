/*
 * buffer.h - large buffers
 */
#ifndef NPYIO_BUFFER_H
#define NPYIO_BUFFER_H

#include <stddef.h>

/*
 * npyio_buffer_new() is memory for n bytes, in huge pages where the system has
 * them: touched for the first time, such a page costs hardly more than one of
 * 4 KiB.  NULL if there is none; the caller frees it with free().
 */
void *npyio_buffer_new(size_t n);

#endif /* NPYIO_BUFFER_H */
