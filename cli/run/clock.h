/*
 * clock.h - the time, for what is done every now and then
 */
#ifndef CLI_CLOCK_H
#define CLI_CLOCK_H

#include <stdint.h>

/*
 * clock_ms() is milliseconds since some moment; nobody can set it back.  A
 * signal handler may ask, too.
 */
int64_t clock_ms(void);

#endif /* CLI_CLOCK_H */
