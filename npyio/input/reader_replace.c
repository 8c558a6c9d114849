/*
 * reader_replace.c - a reader's data in another order, or byte order
 */
#include "reader_replace.h"

#include "reader_private.h"

#include <stdlib.h>
#include <string.h>

enum tsl_status
npyio_reader_replace(struct npyio_reader *r, const struct tsl_array *as,
		     char *memory, struct npyio_reader *by,
		     struct tsl_error *err)
{
	char *descr = strdup(as->dtype.descr);

	if (!descr) {
		free(memory);
		npyio_reader_close(by);
		return tsl_no_memory(err);
	}
	free(r->buffer.memory);
	r->buffer.memory = memory;
	npyio_reader_close(r->ordered);
	r->ordered = by;
	r->array = *as;
	/* The job may still look at the one that it had. */
	free(r->ordered_descr);
	r->array.dtype.descr = r->ordered_descr = descr;
	return TSL_OK;
}

void
npyio_reader_lay(struct npyio_reader *r)
{
	r->is_laid = true;
}

bool
npyio_reader_is_laid(const struct npyio_reader *r)
{
	return r->is_laid;
}
