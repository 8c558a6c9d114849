/*
 * input_name.h - what the name of an input leads to, as far as it says so
 *
 * Most are the names of files, or "-".  One that begins with a scheme, such as
 * raw:, is not, even where there is a file of that name.
 */
#ifndef NPYIO_INPUT_NAME_H
#define NPYIO_INPUT_NAME_H

#include "lib/base/status.h"

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

#endif /* NPYIO_INPUT_NAME_H */
