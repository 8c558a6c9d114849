/*
 * print.h - a result as text
 */
#ifndef CLI_PRINT_H
#define CLI_PRINT_H

#include "npyio/transfer/transfer.h"

enum print_form {
	PRINT_FULL, /* as NumPy with nothing left out */
	PRINT_NUMPY,
	PRINT_PLAIN, /* numbers with blanks between them */
	PRINT_CSV,
	PRINT_TSV,
};

struct print {
	enum print_form form;
	int precision; /* digits behind the point, at most; -1: not said */
	bool overview; /* NumPy's: a line with shape and dtype comes first */
};

/*
 * print_needs_c_order() says whether print_job() takes the elements one by one
 * in C order, so that the output had better be in that order.
 */
bool print_needs_c_order(enum print_form form);

/* print_job() writes the output of t->job as text to t->out. */
enum tsl_status TSL_MUST_USE print_job(const struct npyio_transfer *t,
				       const struct print *how,
				       struct tsl_error *err);

#endif /* CLI_PRINT_H */
