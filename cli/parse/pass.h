/*
 * pass.h - a text gone through once, by several threads
 *
 * Each takes the next chunk and parses it.  Where its elements go is known
 * when all chunks before it have been parsed: in that order rows are counted,
 * and what is wrong is told.
 */
#ifndef CLI_PARSE_PASS_H
#define CLI_PARSE_PASS_H

#include "chunker.h"
#include "npyio/output/writer.h"

#include <pthread.h>

struct pass {
	struct rows_rules rules;
	struct chunker chunker;
	struct npyio_writer *out; /* positional; NULL: nothing is written */
	int64_t offset; /* in it, of the first element */
	int64_t line; /* lines before the text */
	int threads;

	/* What it comes to. */
	int64_t rows, columns; /* of all; or ROWS_NOT_KNOWN */
	int64_t count; /* elements */
	int64_t widest; /* cell */
	bool not_integer; /* it ended there: the guess was wrong */
	char *bad_line; /* that err's place is in, or NULL; to be freed */

	/* While it lasts. */
	pthread_mutex_t reading, counting;
	pthread_cond_t turn_comes;
	int64_t next, turn; /* chunks that are read, and that are counted */
	int64_t row; /* cells so far of a row that goes on */
	bool stopped;
	enum tsl_status status;
	struct tsl_error *err;
};

/*
 * pass_run() goes through the text that the chunker has, as the rules say.
 *
 * Returns TSL_OK, also where not_integer; TSL_EBAD_VALUE, TSL_ESHAPE_MISMATCH,
 * with the line in the words; what chunker_next() and npyio_writer_put() do.
 */
enum tsl_status TSL_MUST_USE pass_run(struct pass *p, struct tsl_error *err);

#endif /* CLI_PARSE_PASS_H */
