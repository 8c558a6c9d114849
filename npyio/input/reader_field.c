/*
 * reader_field.c - a field of an array, as the array that is read
 */
#include "reader_field.h"

#include "npyio/format/field.h"
#include "reader_private.h"

#include <stdlib.h>

void
npyio_reader_drop_field(struct npyio_reader *r)
{
	free(r->field);
	free(r->field_descr);
	r->field = NULL;
	r->field_descr = NULL;
}

enum tsl_status
npyio_reader_select_field(struct npyio_reader *r, const char *name,
			  struct tsl_error *err)
{
	struct tsl_array records = tsl_array_records(&r->array);
	struct tsl_field *field = malloc(sizeof(*field));
	char *descr = NULL;
	enum tsl_status status;

	if (!field)
		return tsl_about(tsl_no_memory(err), r->name, err);
	status = npyio_field_find(field, &descr, &records.dtype, name, err);
	if (!status)
		status = tsl_array_of_field(&r->array, &records, field, err);
	if (status) {
		free(field);
		free(descr);
		return tsl_about(status, r->name, err);
	}
	npyio_reader_drop_field(r);
	r->field = field;
	r->field_descr = descr;
	return TSL_OK;
}
