/*
 * reader_remote.c - an array that is far away, and what of it is brought here
 */
#include "reader_remote.h"

#include "reader_private.h"

#include <string.h>

enum tsl_status
npyio_reader_open_remote(struct npyio_reader *r, const char *url,
			 struct tsl_error *err)
{
	struct npyio_remote *remote;
	enum tsl_status status =
		npyio_remote_open(&remote, url, strlen(url), err);

	if (status)
		return status;
	r->shared = npyio_shared_descriptor_of(remote);
	if (!r->shared)
		return tsl_no_memory(err);
	npyio_source_open_remote(&r->source, r->shared);
	return TSL_OK;
}

void
npyio_reader_extent(const struct npyio_reader *r, struct npyio_extent *extent)
{
	bool packed = r->is_member && r->source.is_stream;

	*extent = (struct npyio_extent){
		.offset = packed ? r->member.offset
				 : r->source.start + r->data_offset,
		.packed = packed ? r->member.packed : 0,
	};
}

bool
npyio_reader_is_remote(const struct npyio_reader *r)
{
	return r->source.remote && r->buffer.nbytes == 0 && !r->buffer.memory &&
	       !r->ordered;
}

bool
npyio_reader_is_here(const struct npyio_reader *r)
{
	return r->is_brought;
}

void
npyio_reader_connect(struct npyio_reader *r, int connections)
{
	npyio_remote_connect(r->source.remote, connections);
}

/* Ranges of the data, as ranges of the file. */
struct shifted {
	npyio_next_range *next;
	void *ranges;
	int64_t by;
};

static bool
next_shifted(void *ranges, int64_t *lo, int64_t *hi)
{
	struct shifted *s = ranges;
	bool more = s->next(s->ranges, lo, hi);

	*lo += more ? s->by : 0;
	*hi += more ? s->by : 0;
	return more;
}

enum tsl_status
npyio_reader_download(struct npyio_reader *r, npyio_next_range *next,
		      void *ranges, struct tsl_error *err)
{
	struct shifted s = { next, ranges, r->source.start + r->data_offset };

	if (r->source.is_stream)
		return TSL_OK;
	r->is_brought = true;
	return tsl_about(
		npyio_remote_download(r->source.remote, next_shifted, &s, err),
		r->name, err);
}

/* All of the array's data, once. */
static bool
next_all(void *ranges, int64_t *lo, int64_t *hi)
{
	int64_t *nbytes = ranges;
	bool more = *nbytes > 0;

	*lo = 0;
	*hi = *nbytes;
	*nbytes = 0;
	return more;
}

enum tsl_status
npyio_reader_download_all(struct npyio_reader *r, struct tsl_error *err)
{
	int64_t nbytes = tsl_array_extent(npyio_reader_array(r));

	return npyio_reader_is_remote(r)
		       ? npyio_reader_download(r, next_all, &nbytes, err)
		       : TSL_OK;
}

void
npyio_reader_flow(struct npyio_reader *r, int64_t hi)
{
	int64_t begin = r->source.start + r->data_offset;

	npyio_remote_flow(r->source.remote, begin, begin + hi);
	r->source.is_stream = true;
}

bool
npyio_reader_skip(struct npyio_reader *r, int64_t n)
{
	if (!r->source.remote || r->source.inflate)
		return false;
	npyio_remote_skip(r->source.remote, n);
	r->taken += n;
	return true;
}

bool
npyio_reader_traffic(const struct npyio_reader *r,
		     struct npyio_traffic *traffic)
{
	if (r->source.remote)
		npyio_remote_traffic(r->source.remote, traffic);
	return r->source.remote != NULL;
}
