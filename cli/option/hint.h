/*
 * hint.h - what was probably meant, for who mistyped something
 *
 * A hint is added to the words of an error and changes nothing else of it.
 * None is added where there is no room for all of it.
 */
#ifndef CLI_HINT_H
#define CLI_HINT_H

#include "lib/base/status.h"

/*
 * hint_nearest() is the one of 'n' names that 'word' is nearest to, or NULL if
 * it is not like any of them.  The case of letters does not count.
 */
const char *hint_nearest(const char *word, const char *const names[], int n);

/*
 * hint_name() adds "did you mean" with that name and 'dashes' before it; or
 * returns false.
 */
bool hint_name(struct tsl_error *err, const char *dashes, const char *word,
	       const char *const names[], int n);

/* hint_help() says where all names are listed. */
void hint_help(struct tsl_error *err);

/* hint_slice() is for 'err' of the slice string 'text', which has its place. */
void hint_slice(struct tsl_error *err, const char *text);

/*
 * hint_unquoted() is for too many operands: those from the second of 'n' on
 * may be a slice that the shell has cut at its blanks.
 */
void hint_unquoted(struct tsl_error *err, char *const *operands, int n);

/*
 * hint_globbed() is for an operand that may be what the shell has made of a
 * slice in brackets: the name of a file that is one character of it.
 */
void hint_globbed(struct tsl_error *err, const char *operand);

/*
 * hint_member() is for a 'path' that should have led to a member of an archive:
 * one may be called nearly the same.
 */
void hint_member(struct tsl_error *err, const char *path);

/* hint_emptied() is for an input that is empty since output goes to it. */
void hint_emptied(struct tsl_error *err, const char *path);

#endif /* CLI_HINT_H */
