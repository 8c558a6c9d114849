/*
 * print.c - a result as text
 */
#include "print.h"

#include "print_numpy.h"

bool
print_needs_c_order(enum print_form form)
{
	return form != PRINT_NUMPY;
}

enum tsl_status
print_job(const struct npyio_transfer *t, const struct print *how,
	  struct tsl_error *err)
{
	return print_numpy(t, how, err);
}
