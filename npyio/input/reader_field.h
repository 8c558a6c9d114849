/*
 * reader_field.h - a field of an array, as the array that is read
 */
#ifndef NPYIO_READER_FIELD_H
#define NPYIO_READER_FIELD_H

#include "reader.h"

/*
 * npyio_reader_select_field() makes a field of the array's records, see
 * npyio/format/field.h, what npyio_reader_array() has.  The bytes of data are
 * those of the records as before.
 *
 * Returns TSL_OK; TSL_ENO_FIELD; TSL_ERANK_LIMIT, TSL_ETOO_LARGE; TSL_EMEMORY.
 */
enum tsl_status TSL_MUST_USE npyio_reader_select_field(struct npyio_reader *r,
						       const char *name,
						       struct tsl_error *err);

#endif /* NPYIO_READER_FIELD_H */
