/*
 * message.h - everything meant for people, and errors in either form
 *
 * All of it goes to standard error, a line each, begun with the command's
 * name.  Bytes that come from files and arguments are shown with control
 * characters escaped.
 */
#ifndef CLI_MESSAGE_H
#define CLI_MESSAGE_H

#include "lib/status.h"

#include <stdio.h>

/* message_init() names the command, and says whether errors are JSON. */
void message_init(const char *command, bool json);

/*
 * message_error() reports 'err'; returns the exit status that goes with it.
 * 'slice' is the slice string that err's place is in, or NULL.
 */
int message_error(const struct tsl_error *err, const char *slice);

/* message_usage() is message_error() for a command line that is wrong. */
int message_usage(const char *fmt, ...) TSL_PRINTF(1, 2);

/* message_note() writes one line, with no meaning to scripts. */
void message_note(const char *fmt, ...) TSL_PRINTF(1, 2);

/*
 * message_escape() writes 's' to 'out' with control characters, and bytes
 * that are not UTF-8, as \xHH; all that is not ASCII too if 'ascii'.
 */
void message_escape(FILE *out, const char *s, bool ascii);

/*
 * message_line() is what message_error() would write, as a string that lives
 * until the next call; NULL if there is no memory for it.  For a signal
 * handler, which may not format.
 */
const char *message_line(const struct tsl_error *err);

#endif /* CLI_MESSAGE_H */
