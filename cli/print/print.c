/*
 * print.c - a result as text
 */
#include "print.h"

#include "print_numpy.h"
#include "print_text.h"

bool
print_needs_c_order(enum print_form form)
{
	return form != PRINT_NUMPY;
}

enum tsl_status
print_job(const struct npyio_transfer *t, const struct print *how,
	  struct tsl_error *err)
{
	return how->form == PRINT_NUMPY || how->form == PRINT_FULL
		       ? print_numpy(t, how, err)
		       : print_text(t, how, err);
}
