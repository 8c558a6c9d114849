/*
 * limit.h - how much memory the system lets this process have
 */
#ifndef NPYIO_LIMIT_H
#define NPYIO_LIMIT_H

#include <stdint.h>

/*
 * npyio_memory_limit() is the least, in bytes, of what there is, of what the
 * control groups that we are in allow, from ours up to the root, and of
 * RLIMIT_AS; INT64_MAX where nothing says.
 */
int64_t npyio_memory_limit(void);

#endif /* NPYIO_LIMIT_H */
