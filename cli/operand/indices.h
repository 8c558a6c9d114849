/*
 * indices.h - indices that are given as text: in the option --indices itself,
 * or in a file that it names
 */
#ifndef CLI_INDICES_H
#define CLI_INDICES_H

#include "npyio/input/reader.h"

struct indices {
	const char *text; /* of the option; NULL: not given */
	bool flat; /* the numbers of a file are one list, not a tuple a line */
	struct tsl_array array; /* of int64 */
	struct npyio_stream_buffer numbers; /* its bytes */
};

/* indices_init() begins without any; indices_free() is due in any case. */
void indices_init(struct indices *x);
void indices_free(struct indices *x);

/*
 * indices_parse() reads numbers with commas between them, lists of numbers in
 * brackets, or lists of such lists.  What names a file is left for later.
 *
 * Returns TSL_OK; TSL_ESYNTAX, TSL_EOVERFLOW, TSL_ERANK_LIMIT, TSL_EMEMORY.
 */
enum tsl_status TSL_MUST_USE indices_parse(struct indices *x,
					   struct tsl_error *err);

/* indices_path() is the file that is named, "-" for standard input, or "". */
const char *indices_path(const struct indices *x);

/*
 * indices_open() opens them as an input; of a file it reads all.  Up to 'room'
 * bytes are kept in memory.
 *
 * Returns TSL_OK; what indices_parse() does; TSL_EINDEX_DEPTH for no tuples at
 * all; TSL_EIO.
 */
enum tsl_status TSL_MUST_USE indices_open(struct npyio_reader **in_new,
					  struct indices *x, int64_t room,
					  struct tsl_error *err);

#endif /* CLI_INDICES_H */
