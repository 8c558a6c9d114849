/*
 * message.h - everything meant for people, and errors in either form
 *
 * All of it goes to standard error, a line each, begun with the command's
 * name.  Bytes that come from files and arguments are shown with control
 * characters escaped.
 */
#ifndef CLI_MESSAGE_H
#define CLI_MESSAGE_H

#include "lib/base/status.h"
#include "npyio/file/cleanup.h"

#include <stdio.h>

/* What an error has to add where a part may have been written before it. */
#define MESSAGE_PARTLY ", but some elements may have been written"

/* message_init() names the command, and says whether errors are JSON. */
void message_init(const char *command, bool json);

/* message_command() is the name, for who may not format. */
const char *message_command(void);

/*
 * message_error() reports 'err'; returns the exit status that goes with it.
 * 'slice' is the slice string that err's place is in, or NULL.
 */
int message_error(const struct tsl_error *err, const char *slice);

/* message_fail() is message_error() for 'code' and no place. */
int message_fail(enum tsl_status code, const char *fmt, ...) TSL_PRINTF(2, 3);

/*
 * message_in_place() says that it is files themselves that are written now:
 * whatever fails from now on may leave a part.
 */
void message_in_place(void);

/*
 * message_silence() says whether another process says all that there is to say.
 * message_origin() has the error that is told of next be another process's, of
 * which 'origin' tells.
 */
void message_silence(bool silent);
bool message_is_silent(void);
void message_origin(const char *origin);

/* message_usage() is message_fail() for a command line that is wrong. */
#define message_usage(...) message_fail(TSL_EUSAGE, __VA_ARGS__)

/* message_note() writes one line, with no meaning to scripts. */
void message_note(const char *fmt, ...) TSL_PRINTF(1, 2);

/*
 * message_escape() writes 's' to 'out' with control characters, and bytes
 * that are not UTF-8, as \xHH; all that is not ASCII too if 'ascii'.
 */
void message_escape(FILE *out, const char *s, bool ascii);

/*
 * message_fault_new() is the line for what became of a mapped page of the
 * file 'name', for a signal handler, which may not format; the caller frees
 * it.
 */
char *message_fault_new(const char *name, enum npyio_fault fault);

#endif /* CLI_MESSAGE_H */
