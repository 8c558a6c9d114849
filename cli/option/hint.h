/*
 * hint.h - what was probably meant, for who mistyped something
 *
 * A hint is added to the words of an error and changes nothing else of it.
 * None is added where there is no room for all of it.
 */
#ifndef CLI_HINT_H
#define CLI_HINT_H

#include "lib/base/status.h"
#include "option.h"

/*
 * hint_name() adds "did you mean" with that name and 'dashes' before it; or
 * returns false.
 */
bool hint_name(struct tsl_error *err, const char *dashes, const char *word,
	       const char *const names[], int n);

/* hint_help() says where all names are listed. */
void hint_help(struct tsl_error *err);

/*
 * hint_value() is for a word that is none of an operand's, but the value that
 * an option of 'table' takes only behind a sign: "--print csv".
 */
void hint_value(struct tsl_error *err, const struct opt *table,
		const char *word);

/* hint_output() is for an operand too many that is called as outputs are. */
void hint_output(struct tsl_error *err, const char *operand);

/* hint_slice() is for 'err' of the slice string 'text', which has its place. */
void hint_slice(struct tsl_error *err, const char *text);

/*
 * hint_surplus() is for too many operands of a command that takes an input and
 * a slice, of which 'surplus' is the first that is one too many: those from the
 * second of 'n' on may be a slice that the shell has cut at its blanks, the
 * last one an output, or a slice behind several inputs.
 */
void hint_surplus(struct tsl_error *err, char *const *operands, int n,
		  const char *surplus);

/*
 * hint_pipe() is for an input that cannot be opened where the only operand is a
 * slice: what comes through a pipe has a name, too.
 */
void hint_pipe(struct tsl_error *err, const char *operand);

/*
 * hint_field() is for a slice that is not understood, of the array in 'path',
 * which may have a field of that name.
 */
void hint_field(struct tsl_error *err, const char *path, const char *slice);

/* hint_literal() is for a file that is not there, and may be an element. */
void hint_literal(struct tsl_error *err, const char *path);

/*
 * hint_tuples() is for an input of indices that is text; hint_axis() for 'list'
 * of as many indices as one tuple cannot have.
 */
void hint_tuples(struct tsl_error *err, const char *path);
void hint_axis(struct tsl_error *err, const char *list);

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

/* hint_joined() is for a 'path' that is not there, and may end in a slice. */
void hint_joined(struct tsl_error *err, const char *path);

/* hint_emptied() is for an input that is empty since output goes to it. */
void hint_emptied(struct tsl_error *err, const char *path);

#endif /* CLI_HINT_H */
