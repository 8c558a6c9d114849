/*
 * field.h - a field of a structured type, by its name
 */
#ifndef NPYIO_FIELD_H
#define NPYIO_FIELD_H

#include "lib/base/array.h"

/*
 * npyio_field_find() finds the field 'name' of the type 'records': its name or
 * its title; or, of names that dots divide, a field of a field, where the
 * longest beginning that is a field's name counts, and then the longest of what
 * is left.  A field that is an array adds dims, and those it is of in records
 * of their own too.
 *
 * 'descr_new' is the text of field->dtype, which the caller frees with free();
 * NULL on failure.  field->records is 'records', whose text must outlive it.
 *
 * Returns TSL_OK; TSL_ENO_FIELD, naming those there are; TSL_ERANK_LIMIT for
 * more than TSL_MAX_DIMS dims; TSL_EMEMORY.
 */
enum tsl_status TSL_MUST_USE npyio_field_find(struct tsl_field *field,
					      char **descr_new,
					      const struct tsl_dtype *records,
					      const char *name,
					      struct tsl_error *err);

#endif /* NPYIO_FIELD_H */
