/*
 * cancel.h - now and then, whether a process that works with others is to end
 */
#ifndef CLI_CANCEL_H
#define CLI_CANCEL_H

#include <stdbool.h>

/* cancel_watch() has is_over(what) be asked from now on. */
void cancel_watch(bool (*is_over)(const void *what), const void *what);

/*
 * is_cancelled() says whether it is over, as far as is known.  May be asked
 * between any two pieces of work, by any thread: few of the times there is a
 * look.  was_cancelled() says whether any look has seen it.
 */
bool is_cancelled(void);
bool was_cancelled(void);

#endif /* CLI_CANCEL_H */
