/*
 * type_names.h - NumPy's names of types that are no kind and size
 *
 * Source: numpy.dtype() and numpy.sctypeDict, NumPy 2.
 */
#ifndef NPYIO_TYPE_NAMES_H
#define NPYIO_TYPE_NAMES_H

#include "text.h"

/*
 * npyio_type_code() appends what the name s[0, len) stands for: "f4" for
 * "float32", "b1" for "?", "M8[s]" for "datetime64[s]".  What is no such name
 * is appended as it is.
 */
void npyio_type_code(struct npyio_text *t, const char *s, size_t len);

#endif /* NPYIO_TYPE_NAMES_H */
