/*
 * result_name.h - what the result of an input is called
 */
#ifndef CLI_RESULT_NAME_H
#define CLI_RESULT_NAME_H

#include "lib/base/status.h"
#include "npyio/format/text.h"

/*
 * result_name() appends the name for the result of 'path': its last component,
 * or with 'parents' all that it goes through, without what stands for nothing.
 * 'member', of 'len' bytes, is what of an archive 'path' it is; NULL: none, or
 * it is in the path.  Behind the name of a file without a header, and
 * of a member, comes the suffix of one with it, unless the result is 'raw'.
 *
 * Returns TSL_OK; TSL_EUSAGE for '..' with 'parents'; TSL_EMEMORY.
 */
enum tsl_status TSL_MUST_USE result_name(struct npyio_text *name,
					 const char *path, const char *member,
					 int len, bool parents, bool raw,
					 struct tsl_error *err);

/* result_name_has_dots() says whether '..' is a component of 'path'. */
bool result_name_has_dots(const char *path);

#endif /* CLI_RESULT_NAME_H */
