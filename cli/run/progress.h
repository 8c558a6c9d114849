/*
 * progress.h - how far a command has come, on standard error
 */
#ifndef CLI_PROGRESS_H
#define CLI_PROGRESS_H

#include "cli/option/options.h"

enum progress_when { PROGRESS_AUTO, PROGRESS_ALWAYS, PROGRESS_NEVER };

/*
 * progress_listen() makes SIGUSR1, unless it was ignored, write one line, from
 * here on; before there is anything to count too.
 */
void progress_listen(void);

/*
 * progress_wait() is progress_listen(), and if the options say always, shows
 * once a second that there is nothing to count yet.
 */
void progress_wait(const struct common_options *co);

/*
 * progress_start() begins to count 'total' bytes of output, and shows them as
 * the options say: auto is a bar on a terminal, once the work takes over a
 * second; always does so from the start, and where there is no terminal writes
 * a line every second.  Where there can be no thread for it nothing is shown.
 */
void progress_start(const struct common_options *co, int64_t total);

/*
 * progress_start_inputs() counts inputs instead, 'total' of them, or if that is
 * negative nobody knows how many.
 */
void progress_start_inputs(const struct common_options *co, int64_t total);

/* progress_add() says that so many more are written; from any thread. */
void progress_add(int64_t nbytes);

/*
 * progress_end() takes the bar away, or writes the last line; also where the
 * work has not begun.
 */
void progress_end(void);

/*
 * progress_stands_for() has what is done, of 'total', be shown as that part of
 * 'all': other processes do the rest meanwhile.
 */
void progress_stands_for(int64_t all);

#endif /* CLI_PROGRESS_H */
