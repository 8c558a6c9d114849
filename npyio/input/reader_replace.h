/*
 * reader_replace.h - a reader's data in another order, or byte order
 */
#ifndef NPYIO_READER_REPLACE_H
#define NPYIO_READER_REPLACE_H

#include "reader.h"

/*
 * npyio_reader_replace() has all the data, which can be read by position, as
 * the array 'as' from now on, in another order or byte order: in 'memory',
 * nbytes that are freed with the reader, or, where that is NULL, in another
 * reader's file, which it closes; on failure, TSL_EMEMORY, they are gone.
 */
enum tsl_status TSL_MUST_USE npyio_reader_replace(struct npyio_reader *r,
						  const struct tsl_array *as,
						  char *memory,
						  struct npyio_reader *by,
						  struct tsl_error *err);

/*
 * npyio_reader_lay() notes that what replaced the data is in an order that one
 * job alone knows, be it of the same shape: no other may have it.
 */
void npyio_reader_lay(struct npyio_reader *r);
bool npyio_reader_is_laid(const struct npyio_reader *r);

#endif /* NPYIO_READER_REPLACE_H */
