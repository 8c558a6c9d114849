/*
 * remote.c - a file that is behind a URL, and of which parts are brought here
 */
#define _GNU_SOURCE /* fallocate */
#include "remote.h"

#include "exchange.h"
#include "lib/base/minmax.h"
#include "npyio/file/fd.h"
#include "npyio/file/spool.h"
#include "spans.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Asked for at first: more than most headers, in one packet train. */
#define FIRST_NBYTES ((int64_t)64 * 1024)

/* Most of a range goes over each connection in pieces of this size. */
#define MAX_PIECE ((int64_t)8 * 1024 * 1024)
#define MIN_PIECE ((int64_t)1024 * 1024)

/* Of what is taken in order so much is brought at once. */
#define WINDOW ((int64_t)32 * 1024 * 1024)

/* Several may read one piece each, not quite in turn. */
#define NEAR 4

#define MAX_CONNECTIONS 64
#define DEFAULT_CONNECTIONS 4
#define LONGEST_POLL 1000 /* milliseconds */

struct npyio_remote {
	pthread_mutex_t lock;
	struct npyio_http_session all;
	void *multi;
	int connections;
	struct npyio_exchange *exchanges; /* MAX_CONNECTIONS; body: the first */
	int64_t size; /* -1: not known */
	bool whole; /* all of it comes, in the first exchange */
	bool failed; /* and nothing more is asked for */
	struct npyio_spans have;
	int64_t ahead, reached; /* of what is read in order, bytes */
	int64_t flow, flow_end; /* the next byte to be taken, and the last */
	int64_t asked; /* of these, all before it are asked for */
};

/* ---- exchanges ----------------------------------------------------------- */

static struct npyio_exchange *
of_handle(void *easy)
{
	void *x = NULL;

	(void)npyio_curl()->easy_getinfo(easy, CURL_INFO_PRIVATE, &x);
	return x;
}

/* Ends what has come to an end. */
static enum tsl_status
end_some(struct npyio_remote *r, struct tsl_error *err)
{
	struct npyio_curl_message *m;
	enum tsl_status status = TSL_OK;
	int left;

	while (!status &&
	       (m = npyio_curl()->multi_info_read(r->multi, &left))) {
		struct npyio_exchange *x;
		int64_t lo;

		if (m->what != CURL_DONE)
			continue;
		x = of_handle(m->easy);
		lo = x->lo;
		status = npyio_exchange_end(x, r->multi, m->data.result, err);
		if (!status && x->state == NPYIO_EXCHANGE_FREE)
			npyio_spans_add(&r->have, lo, x->at);
	}
	return status;
}

/* Asks again what is due; returns how long it may be waited for anything. */
static enum tsl_status
ask_again(struct npyio_remote *r, int *wait, struct tsl_error *err)
{
	int64_t now = npyio_exchange_now();
	enum tsl_status status = TSL_OK;

	*wait = LONGEST_POLL;
	for (int i = 0; i < MAX_CONNECTIONS && !status; i++) {
		struct npyio_exchange *x = &r->exchanges[i];

		if (x->state != NPYIO_EXCHANGE_WAITING)
			continue;
		if (x->due <= now)
			status = npyio_exchange_begin(x, r->multi, err);
		*wait = (int)tsl_min(*wait, tsl_max(x->due - now, 0));
	}
	return status;
}

static bool
is_busy(const struct npyio_remote *r)
{
	for (int i = 0; i < MAX_CONNECTIONS; i++)
		if (r->exchanges[i].state != NPYIO_EXCHANGE_FREE &&
		    !r->exchanges[i].is_paused)
			return true;
	return false;
}

/*
 * Waits, if it may, until something can be done, and does it.  What comes to an
 * end makes room for other requests: they are not to wait for those under way.
 */
static enum tsl_status
turn(struct npyio_remote *r, bool may_wait, struct tsl_error *err)
{
	const struct npyio_curl *curl = npyio_curl();
	int wait, running, bad = 0;
	enum tsl_status status = ask_again(r, &wait, err);

	if (status)
		return status;
	if (may_wait && is_busy(r))
		bad = curl->multi_poll(r->multi, NULL, 0, wait, NULL);
	if (!bad)
		bad = curl->multi_perform(r->multi, &running);
	return bad ? tsl_fail(err, TSL_EIO, "%s", curl->multi_strerror(bad))
		   : end_some(r, err);
}

static void
give_up(struct npyio_remote *r)
{
	r->failed = true;
	for (int i = 0; i < MAX_CONNECTIONS; i++)
		npyio_exchange_close(&r->exchanges[i], r->multi);
}

/* Begins with bytes [lo, hi). */
static enum tsl_status
ask(struct npyio_remote *r, struct npyio_exchange *x, int64_t lo, int64_t hi,
    struct tsl_error *err)
{
	void *easy = x->easy;

	*x = (struct npyio_exchange){
		.all = &r->all, .easy = easy, .lo = lo, .hi = hi, .at = lo
	};
	return npyio_exchange_begin(x, r->multi, err);
}

/* ---- ranges -------------------------------------------------------------- */

/* What is left to be asked for. */
struct work {
	npyio_next_range *next;
	void *ranges;
	int64_t lo, hi; /* of the range at hand */
	int64_t piece;
	bool ended;
};

/* The next bytes that are to be brought over one connection. */
static bool
next_piece(struct npyio_remote *r, struct work *w, int64_t *lo, int64_t *hi)
{
	while (!w->ended) {
		if (w->lo >= w->hi) {
			w->ended = !w->next(w->ranges, &w->lo, &w->hi);
			w->hi = tsl_min(w->hi, r->size);
			w->piece = tsl_min(
				tsl_max((w->hi - w->lo) / r->connections + 1,
					MIN_PIECE),
				MAX_PIECE);
			continue;
		}
		*lo = w->lo;
		*hi = w->hi;
		if (!npyio_spans_missing(&r->have, lo, hi)) {
			w->lo = w->hi;
			continue;
		}
		*hi = tsl_min(*hi, *lo + w->piece);
		w->lo = *hi;
		return true;
	}
	return false;
}

static enum tsl_status
bring(struct npyio_remote *r, struct work *w, struct tsl_error *err)
{
	enum tsl_status status = TSL_OK;
	bool busy = true;

	while (busy && !status) {
		busy = false;
		for (int i = 0; i < r->connections && !status; i++) {
			struct npyio_exchange *x = &r->exchanges[i];
			int64_t lo, hi;

			if (x->state == NPYIO_EXCHANGE_FREE &&
			    next_piece(r, w, &lo, &hi))
				status = ask(r, x, lo, hi, err);
			busy |= x->state != NPYIO_EXCHANGE_FREE;
		}
		if (busy && !status)
			status = turn(r, true, err);
	}
	if (status)
		give_up(r);
	return status;
}

/*
 * All comes in order: as far as it has to, and while that is used up to
 * 'ahead'.
 */
static enum tsl_status
bring_whole(struct npyio_remote *r, int64_t hi, int64_t ahead,
	    struct tsl_error *err)
{
	struct npyio_exchange *x = &r->exchanges[0];
	enum tsl_status status = TSL_OK;

	while (x->state != NPYIO_EXCHANGE_FREE && !status) {
		bool is_here = x->at >= hi;

		x->pause_at = ahead;
		if (x->is_paused && x->at < ahead) {
			x->is_paused = false;
			(void)npyio_curl()->easy_pause(x->easy, CURL_CONT);
		}
		status = turn(r, !is_here, err);
		if (is_here)
			break;
	}
	npyio_spans_add(&r->have, 0, x->at);
	if (status)
		give_up(r);
	else if (x->state == NPYIO_EXCHANGE_FREE)
		r->size = x->at;
	return status;
}

struct one_range {
	int64_t lo, hi;
	bool told;
};

static bool
next_of_one(void *ranges, int64_t *lo, int64_t *hi)
{
	struct one_range *one = ranges;

	*lo = one->lo;
	*hi = one->hi;
	one->told = !one->told;
	return one->told;
}

static enum tsl_status
bring_one(struct npyio_remote *r, int64_t lo, int64_t hi, struct tsl_error *err)
{
	struct one_range one = { .lo = lo, .hi = hi };
	struct work w = { .next = next_of_one, .ranges = &one };

	if (r->failed)
		return tsl_fail(err, TSL_EIO, "the connection was lost");
	return r->whole ? bring_whole(r, hi, hi, err) : bring(r, &w, err);
}

enum tsl_status
npyio_remote_download(struct npyio_remote *r, npyio_next_range *next,
		      void *ranges, struct tsl_error *err)
{
	struct work w = { .next = next, .ranges = ranges };
	enum tsl_status status = TSL_OK;

	pthread_mutex_lock(&r->lock);
	if (r->failed)
		status = tsl_fail(err, TSL_EIO, "the connection was lost");
	else if (!r->whole)
		status = bring(r, &w, err);
	while (r->whole && !status && next(ranges, &w.lo, &w.hi))
		status = bring_whole(r, w.hi, w.hi, err);
	pthread_mutex_unlock(&r->lock);
	return status;
}

/* The lock is held. */
static enum tsl_status
need(struct npyio_remote *r, int64_t lo, int64_t hi, int64_t end,
     struct tsl_error *err)
{
	int64_t first = lo, last = hi;
	enum tsl_status status;
	int64_t near;

	if (r->size >= 0)
		last = hi = tsl_min(hi, r->size);
	if (lo >= hi || !npyio_spans_missing(&r->have, &first, &last))
		return TSL_OK;
	/* Who goes on where he was, or about there, is likely to do so again.
	 */
	near = NEAR * tsl_max(r->ahead, hi - lo);
	r->ahead = tsl_magnitude(first - r->reached) <= near
			   ? tsl_min(2 * r->ahead, WINDOW)
			   : FIRST_NBYTES;
	r->reached = tsl_max(hi, tsl_min(end, first + r->ahead));
	if (r->size >= 0)
		r->reached = tsl_min(r->reached, r->size);
	status = bring_one(r, lo, r->reached, err);
	if (status || !r->whole)
		return status;
	first = lo;
	last = tsl_min(hi, r->size >= 0 ? r->size : hi);
	return first < last && npyio_spans_missing(&r->have, &first, &last)
		       ? tsl_fail(err, TSL_EIO,
				  "the server sends the file only once")
		       : TSL_OK;
}

enum tsl_status
npyio_remote_need(struct npyio_remote *r, int64_t lo, int64_t hi, int64_t end,
		  struct tsl_error *err)
{
	enum tsl_status status;

	pthread_mutex_lock(&r->lock);
	status = need(r, lo, hi, end, err);
	pthread_mutex_unlock(&r->lock);
	return status;
}

enum tsl_status
npyio_remote_all(struct npyio_remote *r, struct tsl_error *err)
{
	enum tsl_status status;

	pthread_mutex_lock(&r->lock);
	status = bring_one(r, 0, INT64_MAX, err);
	pthread_mutex_unlock(&r->lock);
	return status;
}

/* ---- in order ------------------------------------------------------------ */

void
npyio_remote_flow(struct npyio_remote *r, int64_t lo, int64_t hi)
{
	r->flow = r->asked = lo;
	r->flow_end = hi;
}

void
npyio_remote_skip(struct npyio_remote *r, int64_t n)
{
	r->flow += n;
}

/* Asks for what is taken next, up to 'end' at least. */
static enum tsl_status
ask_ahead(struct npyio_remote *r, int64_t end, struct tsl_error *err)
{
	int64_t piece = tsl_min(
		tsl_max(WINDOW / (2 * r->connections), MIN_PIECE), MAX_PIECE);
	int64_t last = tsl_max(tsl_min(r->flow_end, r->size), end);
	int64_t most = tsl_min(tsl_max(r->flow + WINDOW, end), last);
	enum tsl_status status = TSL_OK;

	r->asked = tsl_max(r->asked, r->flow);
	for (int i = 0; i < r->connections && !status; i++) {
		struct npyio_exchange *x = &r->exchanges[i];
		int64_t lo = r->asked, hi = most;

		if (x->state != NPYIO_EXCHANGE_FREE)
			continue;
		if (!npyio_spans_missing(&r->have, &lo, &hi))
			break;
		/* There will be more room for it soon. */
		if (lo >= end && hi - lo < piece && hi < last)
			break;
		r->asked = tsl_min(hi, lo + piece);
		status = ask(r, x, lo, r->asked, err);
	}
	return status;
}

/*
 * Brings bytes up to 'hi' of what is taken in order.  Others are under way, and
 * come into the sockets while these are used.
 */
static enum tsl_status
bring_next(struct npyio_remote *r, int64_t hi, struct tsl_error *err)
{
	enum tsl_status status = TSL_OK;
	bool is_here = false;

	if (r->failed)
		return tsl_fail(err, TSL_EIO, "the connection was lost");
	if (r->whole)
		return bring_whole(r, hi, tsl_max(hi, r->flow + WINDOW), err);
	hi = tsl_min(hi, r->size);
	while (!is_here && !status) {
		int64_t first = r->flow, last = hi;

		is_here = first >= last ||
			  !npyio_spans_missing(&r->have, &first, &last);
		if (is_here || r->asked < hi || is_busy(r))
			status = ask_ahead(r, hi, err);
		else /* what has come could not be noted */
			status = tsl_no_memory(err);
		if (!status)
			status = turn(r, !is_here, err);
	}
	if (status)
		give_up(r);
	return status;
}

/* Whole pages, of those that lie behind. */
static void
forget(struct npyio_remote *r, int64_t before, int64_t now)
{
	int64_t lo = before / WINDOW * WINDOW, hi = now / WINDOW * WINDOW;

	if (lo == hi)
		return;
	/* Without that they stay, and are in nobody's way. */
	if (fallocate(r->all.fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, lo,
		      hi - lo) == 0)
		npyio_spans_drop(&r->have, hi);
}

enum tsl_status
npyio_remote_take(struct npyio_remote *r, void *buf, size_t n, size_t *got,
		  struct tsl_error *err)
{
	enum tsl_status status;
	int64_t hi = r->flow + (int64_t)n;

	*got = 0;
	pthread_mutex_lock(&r->lock);
	status = bring_next(r, hi, err);
	if (!status && r->size >= 0 && hi > r->size)
		n = (size_t)tsl_max(r->size - r->flow, 0);
	if (!status)
		status = npyio_fd_pread(r->all.fd, buf, n, r->flow, got, err);
	if (!status)
		forget(r, r->flow, r->flow + (int64_t)*got);
	r->flow += (int64_t)*got;
	pthread_mutex_unlock(&r->lock);
	return status;
}

/* ---- opening ------------------------------------------------------------- */

static enum tsl_status
init(struct npyio_remote *r, const char *url, size_t len, struct tsl_error *err)
{
	enum tsl_status status =
		npyio_http_session_init(&r->all, url, len, err);

	if (!status)
		status = npyio_spool_open(&r->all.fd, err);
	if (status)
		return status;
	r->multi = npyio_curl()->multi_init();
	return r->multi ? TSL_OK : tsl_no_memory(err);
}

static enum tsl_status
note_size(struct npyio_remote *r, struct tsl_error *err)
{
	r->size = npyio_response_size(&r->all.version);
	r->whole = r->exchanges[0].whole;
	if (r->whole && r->exchanges[0].state == NPYIO_EXCHANGE_FREE)
		r->size = r->exchanges[0].at;
	if (r->size < 0 || ftruncate(r->all.fd, r->size) == 0)
		return TSL_OK;
	npyio_fail_sys(err, "no room for a file of that size there");
	return tsl_about(TSL_EIO, npyio_spool_directory(), err);
}

static enum tsl_status
ask_first(struct npyio_remote *r, struct tsl_error *err)
{
	struct npyio_exchange *x = &r->exchanges[0];
	enum tsl_status status = ask(r, x, 0, FIRST_NBYTES, err);

	while (!status && x->state != NPYIO_EXCHANGE_FREE && !x->is_paused)
		status = turn(r, true, err);
	if (!status)
		npyio_spans_add(&r->have, 0, x->at);
	if (!status)
		status = note_size(r, err);
	return status ? status : npyio_http_session_settle(&r->all, err);
}

enum tsl_status
npyio_remote_open(struct npyio_remote **remote_new, const char *url, size_t len,
		  struct tsl_error *err)
{
	struct npyio_remote *r = calloc(1, sizeof(*r));
	enum tsl_status status;

	*remote_new = NULL;
	if (r)
		r->exchanges = calloc(MAX_CONNECTIONS, sizeof(*r->exchanges));
	if (!r || !r->exchanges) {
		free(r);
		return tsl_no_memory(err);
	}
	pthread_mutex_init(&r->lock, NULL);
	r->all.fd = -1;
	r->size = -1;
	r->flow_end = INT64_MAX;
	r->connections = DEFAULT_CONNECTIONS;
	r->ahead = r->reached = FIRST_NBYTES;
	status = init(r, url, len, err);
	if (!status)
		status = ask_first(r, err);
	if (status)
		npyio_remote_close(r);
	else
		*remote_new = r;
	return status;
}

void
npyio_remote_close(struct npyio_remote *r)
{
	if (!r)
		return;
	give_up(r);
	if (r->multi)
		(void)npyio_curl()->multi_cleanup(r->multi);
	if (r->all.fd >= 0)
		close(r->all.fd);
	npyio_http_session_free(&r->all);
	npyio_spans_free(&r->have);
	pthread_mutex_destroy(&r->lock);
	free(r->exchanges);
	free(r);
}

/* ---- what is known ------------------------------------------------------- */

int
npyio_remote_file(const struct npyio_remote *r)
{
	return r->all.fd;
}

int64_t
npyio_remote_size(const struct npyio_remote *r)
{
	return r->size;
}

void
npyio_remote_connect(struct npyio_remote *r, int connections)
{
	/* Not while others wait for those that there are. */
	pthread_mutex_lock(&r->lock);
	r->connections = (int)tsl_min(tsl_max(connections, 1), MAX_CONNECTIONS);
	pthread_mutex_unlock(&r->lock);
}

void
npyio_remote_traffic(const struct npyio_remote *r,
		     struct npyio_traffic *traffic)
{
	*traffic = (struct npyio_traffic){
		.arrived = r->all.arrived,
		.size = r->size,
		.asked = r->all.asked,
		.again = r->all.again,
		.whole = r->whole,
	};
}

void
npyio_remote_stat(const struct npyio_remote *r, struct stat *st)
{
	npyio_http_session_stat(&r->all, st);
	st->st_mode = r->size >= 0 ? S_IFREG : S_IFIFO;
	st->st_size = r->size;
}
