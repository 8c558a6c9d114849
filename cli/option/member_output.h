/*
 * member_output.h - outputs that are members of an archive, as options have it
 */
#ifndef CLI_MEMBER_OUTPUT_H
#define CLI_MEMBER_OUTPUT_H

#include "common_options.h"

/* --deflate alone. */
#define DEFLATE_LEVEL 6

/*
 * member_output_settle() finds out whether the output is a member of an
 * archive, and sets co->is_member and co->level; of a command that 'makes_text'
 * it can be none.  An archive itself is none, either: a file of that name would
 * only look like one.  Returns 0, or an exit status.
 */
int member_output_settle(struct common_options *co, bool makes_text);

#endif /* CLI_MEMBER_OUTPUT_H */
