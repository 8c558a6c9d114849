/*
 * memory.c - how much working memory a command uses
 */
#include "memory.h"

#include "lib/base/minmax.h"
#include "npyio/file/limit.h"
#include "npyio/input/input_name.h"
#include "npyio/transfer/transfer.h"

/* With what the program itself takes that stays below 64 MiB. */
#define DEFAULT_MEMORY ((int64_t)56 * 1024 * 1024)

/* What takes no more than a moment fits anywhere, and is not to wait. */
#define MIN_WORK ((int64_t)4 * 1024 * 1024)

/*
 * The rest is for the program itself, and for the pages of files, mapped ones
 * and such as are still to be written: a control group has to pay for them too.
 */
#define SHARE 4

int64_t
memory_for(const struct common_options *co, int64_t work)
{
	/* Not more than can be counted in, where a size_t is small. */
	if (co->max_memory)
		return tsl_min(co->max_memory, (int64_t)(SIZE_MAX / 8));
	if (work < MIN_WORK)
		return DEFAULT_MEMORY;
	return tsl_min(DEFAULT_MEMORY,
		       tsl_max(npyio_memory_limit() / SHARE /
				       tsl_max(co->processes, 1),
			       NPYIO_MIN_MEMORY));
}

/* A quarter, too, so that who counts them as ours is not surprised. */
int64_t
memory_to_map(const struct common_options *co, int64_t work)
{
	if (co->max_memory || work < MIN_WORK)
		return 0;
	return npyio_memory_limit() / SHARE / tsl_max(co->processes, 1);
}

bool
memory_is_scarce(const struct common_options *co, int64_t memory)
{
	return !co->max_memory && memory < DEFAULT_MEMORY;
}

int64_t
memory_for_stream(const struct common_options *co, const char *path)
{
	return npyio_input_has_scheme(path) ? memory_for(co, INT64_MAX) / 4 : 0;
}
