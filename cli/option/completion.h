/*
 * completion.h - what a command says of itself to those who complete its words
 */
#ifndef CLI_COMPLETION_H
#define CLI_COMPLETION_H

#include "option.h"

/* The only argument of a command that is asked for it. */
#define COMPLETE_ARGUMENT "--list-options"

/*
 * completion_list() prints a line for each option, and for each word(0),
 *word(1) and so on up to a NULL, if there is a 'word'; its fields have tabs
 *between, and '-' where one is empty:
 *
 *	option  LETTER  NAME  VALUE  WORDS  HELP
 *	word    WORD
 *
 * VALUE is what the help calls it, in brackets if it may be left out; WORDS,
 * with blanks between, are those it may be, or some that it is often.
 */
void completion_list(const struct opt *table, const char *(*word)(int i));

#endif /* CLI_COMPLETION_H */
