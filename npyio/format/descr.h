/*
 * descr.h - the element type of an .npy header
 *
 * A string such as '<f4' or '<M8[25s]', or a list of fields, whose types may
 * also be pairs such as ('<f4', (3,)).  An element's bytes are never looked
 * into; what is needed of its type is the size, and the text by which
 * numpy.save would name it.
 */
#ifndef NPYIO_DESCR_H
#define NPYIO_DESCR_H

#include "lib/base/array.h"
#include "literal.h"

#define NPYIO_MAX_DEPTH 32
#define NPYIO_MAX_FIELDS 65536

/*
 * npyio_descr_parse() reads the value that begins with lit's current token
 * and leaves the token behind it current.  It fills 'dtype' but for 'descr',
 * and appends the type to 'canonical', in UTF-8, as numpy.save writes it.
 *
 * Returns TSL_OK; TSL_EBAD_DESCR; TSL_EOBJECT_DTYPE where a Python object is
 * anywhere in the type; TSL_EBAD_HEADER for syntax; TSL_EMEMORY.
 */
enum tsl_status TSL_MUST_USE npyio_descr_parse(struct npyio_literal *lit,
					       struct tsl_dtype *dtype,
					       struct npyio_text *canonical,
					       struct tsl_error *err);

/*
 * npyio_descr_parse_name() reads s[0, len), which is no literal, as the name of
 * a type without fields: "<f4", "f4" for that of this machine, one of
 * type_names.h's, or a number that NumPy has not: "bfloat16".  'dtype->descr'
 * stays NULL.
 *
 * Returns TSL_OK; TSL_EBAD_DESCR, TSL_EOBJECT_DTYPE; TSL_EMEMORY.
 */
enum tsl_status TSL_MUST_USE
npyio_descr_parse_name(struct tsl_dtype *dtype, struct npyio_text *canonical,
		       const char *s, size_t len, struct tsl_error *err);

#endif /* NPYIO_DESCR_H */
