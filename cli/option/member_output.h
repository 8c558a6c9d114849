/*
 * member_output.h - outputs that are members of an archive, as options have it
 */
#ifndef CLI_MEMBER_OUTPUT_H
#define CLI_MEMBER_OUTPUT_H

#include "common_options.h"

/* --deflate alone. */
#define DEFLATE_LEVEL 6

/*
 * member_output_resolve() finds out whether the output is a member of an
 * archive, and sets co->is_member and co->level; of a command that 'makes_text'
 * it can be none.  An archive itself is none, either: a file of that name would
 * only look like one.  Returns 0, or an exit status.
 */
int member_output_resolve(struct common_options *co, bool makes_text);

/* member_output_is_archive() says that a file's name is that of an archive. */
bool member_output_is_archive(const char *path);

#endif /* CLI_MEMBER_OUTPUT_H */
