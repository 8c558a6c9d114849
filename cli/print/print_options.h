/*
 * print_options.h - how a result is printed
 */
#ifndef CLI_PRINT_OPTIONS_H
#define CLI_PRINT_OPTIONS_H

#include <stdbool.h>

enum print_form {
	PRINT_FULL, /* as NumPy with nothing left out */
	PRINT_NUMPY,
	PRINT_PLAIN, /* numbers with blanks between them */
	PRINT_CSV,
	PRINT_TSV,
	PRINT_JSON, /* nested lists */
};

struct print {
	enum print_form form;
	int precision; /* digits behind the point, at most; -1: not said */
	bool overview; /* NumPy's: a line with shape and dtype comes first */
};

/* NumPy's defaults of numpy.set_printoptions(). */
#define PRINT_LINE_WIDTH 75
#define PRINT_THRESHOLD 1000 /* elements; of more only the edges are shown */
#define PRINT_EDGE_ITEMS 3
#define PRINT_PRECISION 8

#endif /* CLI_PRINT_OPTIONS_H */
