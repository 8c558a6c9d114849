/*
 * fill_value.c - one element, for all that no array has elements for
 */
#include "fill_value.h"

#include "lib/base/scalar.h"

#include <stdlib.h>
#include <string.h>

enum tsl_status
fill_value_new(char **element_new, const struct tsl_dtype *dtype,
	       const char *literal, const char *name, struct tsl_error *err)
{
	enum tsl_status status = TSL_OK;

	/* A type without bytes has elements, too. */
	*element_new = calloc(1, dtype->size > 0 ? (size_t)dtype->size : 1);
	if (!*element_new)
		return tsl_no_memory(err);
	if (literal)
		status = tsl_scalar_parse(dtype, literal, strlen(literal),
					  *element_new, err);
	return tsl_about(status, name, err);
}
