/*
 * input_name.h - what the name of an input leads to, as far as it says so
 *
 * Most are the names of files, or "-".  One that begins with a scheme, such as
 * raw:, is not, even where there is a file of that name.
 */
#ifndef NPYIO_INPUT_NAME_H
#define NPYIO_INPUT_NAME_H

#include "lib/base/status.h"
#include "npyio/format/text.h"

#include <stddef.h>

/* npyio_input_has_scheme() says that a name begins with one. */
bool npyio_input_has_scheme(const char *name);

/*
 * npyio_input_check() finds what is wrong with a name whatever the file.
 * Returns TSL_OK; what npyio_raw_parse() does, with the subject set.
 */
enum tsl_status TSL_MUST_USE npyio_input_check(const char *name,
					       struct tsl_error *err);

/*
 * npyio_input_file() is the end of 'name' that is to be opened: the name of a
 * file, or "-".  npyio_input_is_stdin() says that it is the latter.
 */
const char *npyio_input_file(const char *name);
bool npyio_input_is_stdin(const char *name);

/*
 * npyio_input_is_url() says that this is a URL, which can only be read.
 * npyio_input_show() appends the name as messages have it, which of a URL say
 * nothing secret.  npyio_input_shown() is that, for as long as 'name' is there;
 * NULL: no memory.  It is for few names: those of URLs stay until the end.
 */
bool npyio_input_is_url(const char *name);
void npyio_input_show(struct npyio_text *t, const char *name);
const char *npyio_input_shown(const char *name);

#endif /* NPYIO_INPUT_NAME_H */
