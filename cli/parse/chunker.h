/*
 * chunker.h - text cut into chunks that can be parsed each by itself
 *
 * They end behind a line.  A line that is longer than a chunk is cut behind a
 * cell, if its cells are all the same; else the chunk grows.
 */
#ifndef CLI_PARSE_CHUNKER_H
#define CLI_PARSE_CHUNKER_H

#include "rows.h"
#include "source.h"

struct chunker {
	struct source *source;
	/* How it is to be. */
	char delimiter; /* '\0': to be found in the first row */
	bool has_text; /* quotes may hold the ends of lines */
	bool is_record; /* a row is not cut */
	size_t size; /* bytes of a chunk, as a rule */
	size_t most; /* and of one with a long line */

	/* How far it is. */
	bool ended;
	char *rest; /* what was read, of the next chunk */
	size_t nrest, rest_room;
	bool within, in_comment; /* the next one begins so */
};

/* chunker_begin() begins with the text's begin; chunker_free() is due. */
void chunker_begin(struct chunker *k);
void chunker_free(struct chunker *k);

/*
 * chunker_skip() leaves out the next n lines, or all there are.
 *
 * chunker_next() makes the next chunk's text; there is none where k->ended.
 *
 * Return TSL_OK; TSL_EMEMORY, also for a line that is too long; what
 * source_read() does.
 */
enum tsl_status TSL_MUST_USE chunker_skip(struct chunker *k, int64_t n,
					  struct tsl_error *err);
enum tsl_status TSL_MUST_USE chunker_next(struct chunker *k, struct chunk *c,
					  struct tsl_error *err);

#endif /* CLI_PARSE_CHUNKER_H */
