/*
 * kept.c - bytes of a stream, kept where they can be read by position
 */
#include "kept.h"

#include "fd.h"
#include "lib/base/minmax.h"
#include "spool.h"

#include <stdlib.h>

/* They are kept in steps, as they arrive. */
#define STEP ((int64_t)256 * 1024)

static enum tsl_status
no_memory(int64_t nbytes, struct tsl_error *err)
{
	return tsl_fail(err, TSL_EMEMORY, "out of memory for %lld bytes",
			(long long)nbytes);
}

static enum tsl_status
keep_in_memory(struct npyio_kept *k, int64_t nbytes, npyio_take *take,
	       void *stream, struct tsl_error *err)
{
	enum tsl_status status = TSL_OK;
	int64_t cap = 0;

	while (k->nbytes < nbytes && !status) {
		int64_t n = tsl_min(nbytes - k->nbytes, STEP);

		if (k->nbytes + n > cap) {
			char *memory;

			cap = tsl_min(tsl_max(2 * cap, n), nbytes);
			memory = realloc(k->memory, (size_t)cap);
			if (!memory)
				return no_memory(nbytes, err);
			k->memory = memory;
			n = tsl_min(n, cap - k->nbytes);
		}
		status = take(stream, k->memory + k->nbytes, n, err);
		if (!status)
			k->nbytes += n;
	}
	return status;
}

static enum tsl_status
write_to_spool(const struct npyio_kept *k, const char *buf, int64_t n,
	       struct tsl_error *err)
{
	enum tsl_status status = npyio_fd_pwrite(k->spool, buf, (size_t)n,
						 k->offset + k->nbytes, err);

	if (status && err)
		err->subject = npyio_spool_directory();
	return status;
}

static enum tsl_status
keep_in_spool(struct npyio_kept *k, int64_t nbytes, npyio_take *take,
	      void *stream, struct tsl_error *err)
{
	enum tsl_status status =
		npyio_spool_share(&k->spool, &k->offset, nbytes, err);
	char *buf;

	if (status)
		return status;
	buf = malloc(STEP);
	if (!buf)
		return no_memory(STEP, err);
	while (k->nbytes < nbytes && !status) {
		int64_t n = tsl_min(nbytes - k->nbytes, STEP);

		status = take(stream, buf, n, err);
		if (!status)
			status = write_to_spool(k, buf, n, err);
		k->nbytes += n;
	}
	free(buf);
	return status;
}

enum tsl_status
npyio_keep(struct npyio_kept *k, int64_t nbytes, int64_t room, npyio_take *take,
	   void *stream, struct tsl_error *err)
{
	return nbytes <= room ? keep_in_memory(k, nbytes, take, stream, err)
			      : keep_in_spool(k, nbytes, take, stream, err);
}

void
npyio_kept_drop(struct npyio_kept *k)
{
	free(k->memory);
	if (k->spool >= 0)
		npyio_spool_unshare();
	*k = (struct npyio_kept){ .spool = -1 };
}
