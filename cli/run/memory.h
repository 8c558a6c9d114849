/*
 * memory.h - how much working memory a command uses
 */
#ifndef CLI_MEMORY_H
#define CLI_MEMORY_H

#include "cli/option/options.h"

/*
 * memory_for() is what --max-memory says; or else the default, or, where the
 * system lets the process have little, a part of that.  'work' is how many
 * bytes are read and written: for a few nobody asks.
 */
int64_t memory_for(const struct common_options *co, int64_t work);

/*
 * memory_to_map() is how many bytes of a file may be mapped beyond that, where
 * places are random: they are the page cache's, and not ours.  None where
 * --max-memory was given, which counts them.
 */
int64_t memory_to_map(const struct common_options *co, int64_t work);

/* memory_is_scarce() says whether that is less because of the system. */
bool memory_is_scarce(const struct common_options *co, int64_t memory);

/*
 * memory_for_stream() is what a stream may be kept in that only its end tells
 * the size of, which an input without a header is: of others it is 0, and the
 * system is not asked.
 */
int64_t memory_for_stream(const struct common_options *co, const char *path);

#endif /* CLI_MEMORY_H */
