/*
 * exchange.c - one question to a server, and its answer
 */
#include "exchange.h"

#include "http_error.h"
#include "lib/base/minmax.h"
#include "npyio/file/fd.h"
#include "npyio/file/spool.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define MAX_TRIES 5 /* after the first */
#define FIRST_WAIT 250 /* milliseconds; the next are twice as long each */
#define MAX_WAIT ((int64_t)60 * 1000)
#define MAX_HEADER ((int64_t)64 * 1024)
#define MAX_REDIRECTS 10L
#define CONNECT_TIMEOUT ((int64_t)30)
#define DEFAULT_TIMEOUT 60
#define MAX_TIMEOUT 86400

int64_t
npyio_exchange_now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

/* ---- what all have in common --------------------------------------------- */

static int64_t
timeout(void)
{
	const char *value = getenv("TSLICE_TIMEOUT");
	long seconds = value ? strtol(value, NULL, 10) : 0;

	return seconds > 0 ? tsl_min(seconds, MAX_TIMEOUT) : DEFAULT_TIMEOUT;
}

/* One line more; NULL: no memory. */
static struct curl_slist *
add_line(struct curl_slist *list, const char *line)
{
	struct curl_slist *more =
		line ? npyio_curl()->slist_append(list, line) : list;

	if (!more)
		npyio_curl()->slist_free_all(list);
	return more;
}

static struct curl_slist *
new_lines(const struct npyio_request *q)
{
	struct curl_slist *list = add_line(NULL, "Accept-Encoding: identity");

	return list ? add_line(list, q->token) : NULL;
}

enum tsl_status
npyio_http_session_init(struct npyio_http_session *all, const char *url,
			size_t len, struct tsl_error *err)
{
	enum tsl_status status =
		npyio_request_init(&all->request, url, len, err);

	if (!status)
		status = npyio_curl_load(err);
	if (status)
		return status;
	all->timeout = timeout();
	all->headers = new_lines(&all->request);
	return all->headers ? TSL_OK : tsl_no_memory(err);
}

enum tsl_status
npyio_http_session_settle(struct npyio_http_session *all, struct tsl_error *err)
{
	const char *condition = npyio_response_condition(&all->version);
	char line[192] = "If-Range: ";

	if (!condition)
		return TSL_OK;
	strcat(line, condition);
	all->same = new_lines(&all->request);
	if (all->same)
		all->same = add_line(all->same, line);
	return all->same ? TSL_OK : tsl_no_memory(err);
}

/* FNV-1a */
static uint64_t
digest(uint64_t hash, const char *s)
{
	for (; *s; s++)
		hash = (hash ^ (unsigned char)*s) * 0x100000001b3;
	return hash;
}

void
npyio_http_session_stat(const struct npyio_http_session *all, struct stat *st)
{
	const struct npyio_response *version = &all->version;
	uint64_t version_hash = digest(0xcbf29ce484222325, version->etag);

	*st = (struct stat){
		.st_ino = digest(0xcbf29ce484222325, all->request.url),
	};
	st->st_mtim.tv_sec =
		(time_t)(digest(version_hash, version->modified) >> 2);
}

void
npyio_http_session_free(struct npyio_http_session *all)
{
	if (all->headers)
		npyio_curl()->slist_free_all(all->headers);
	if (all->same)
		npyio_curl()->slist_free_all(all->same);
	npyio_request_free(&all->request);
}

/* ---- what comes ---------------------------------------------------------- */

/* Anything but n has libcurl break off. */
static size_t
get_header(char *line, size_t size, size_t n, void *context)
{
	struct npyio_exchange *x = context;

	n *= size;
	npyio_response_add(&x->response, line, n);
	if (x->response.nbytes <= MAX_HEADER)
		return n;
	x->status = tsl_fail(&x->error, TSL_EIO,
			     "the server's answer has too long a header");
	return 0;
}

static enum tsl_status
changed(struct tsl_error *err)
{
	return tsl_fail(err, TSL_EIO,
			"the file was changed while it was being read");
}

/* Whether the bytes that are about to come are those that were asked for. */
static enum tsl_status
judge(struct npyio_exchange *x, struct tsl_error *err)
{
	const struct npyio_response *a = &x->response;
	struct npyio_http_session *all = x->all;

	if (a->is_encoded)
		return tsl_fail(err, TSL_EIO,
				"the server sends the file encoded, which was "
				"not asked for");
	if (all->version.code && !npyio_response_is_same(a, &all->version))
		return changed(err);
	if (a->code == 206 && (x->whole || a->first != x->at ||
			       a->end > x->hi || a->end <= a->first))
		return tsl_fail(err, TSL_EIO,
				"the server sends other bytes than those that "
				"were asked for");
	/* It knows ranges, or knew them, but this is the whole. */
	if (a->code == 200 && !x->whole && all->version.code)
		return tsl_fail(err, TSL_EIO,
				"the server sends the whole file instead of "
				"the range that was asked for");
	if (npyio_response_size(a) < 0 && a->code == 206)
		return tsl_fail(err, TSL_EIO,
				"the server does not say how long the file is");
	if (!all->version.code)
		all->version = *a;
	if (a->code == 206)
		x->hi = tsl_min(x->hi, a->total);
	/* All of it comes, and more is welcome, but not all at once. */
	if (a->code == 200) {
		x->whole = true;
		x->pause_at = tsl_max(x->pause_at, x->hi);
		x->hi = npyio_response_size(a);
	}
	x->pos = a->code == 200 ? 0 : a->first;
	return TSL_OK;
}

/* Those that are before what is wanted have come already. */
static enum tsl_status
put(struct npyio_exchange *x, const char *bytes, size_t n,
    struct tsl_error *err)
{
	int64_t skipped = tsl_min(tsl_max(x->at - x->pos, 0), (int64_t)n);
	int64_t end = x->whole ? x->hi : x->response.end;
	enum tsl_status status;

	if (end >= 0 && end - x->pos < (int64_t)n)
		return tsl_fail(err, TSL_EIO,
				"the server sends more than it said");
	if (INT64_MAX - x->pos < (int64_t)n)
		return tsl_fail(err, TSL_EIO, "the file has no end");
	x->pos += (int64_t)n;
	n -= (size_t)skipped;
	status = npyio_fd_pwrite(x->all->fd, bytes + skipped, n,
				 x->pos - (int64_t)n, err);
	x->at = tsl_max(x->at, x->pos);
	x->all->arrived += (int64_t)n;
	return tsl_about(status, npyio_spool_directory(), err);
}

static size_t
get_bytes(char *bytes, size_t size, size_t n, void *context)
{
	struct npyio_exchange *x = context;

	n *= size;
	if (x->response.code != 200 && x->response.code != 206) {
		size_t room = sizeof(x->said) - x->nsaid;

		memcpy(x->said + x->nsaid, bytes, n < room ? n : room);
		x->nsaid += n < room ? n : room;
		return n;
	}
	if (!x->judged)
		x->status = judge(x, &x->error);
	x->judged = true;
	if (!x->status && x->whole && x->at >= x->pause_at && x->pos >= x->at) {
		x->is_paused = true;
		return CURL_PAUSE;
	}
	if (!x->status)
		x->status = put(x, bytes, n, &x->error);
	return x->status ? 0 : n;
}

/* ---- asking -------------------------------------------------------------- */

static int
set_request(struct npyio_exchange *x, const struct npyio_request *q)
{
	const struct npyio_curl *curl = npyio_curl();
	int bad = curl->easy_setopt(x->easy, CURL_URL, q->url);

	if (!bad && q->netrc)
		bad = curl->easy_setopt(x->easy, CURL_NETRC,
					CURL_NETRC_OPTIONAL);
	if (!bad && q->sign)
		bad = curl->easy_setopt(x->easy, CURL_AWS_SIGV4, q->sign);
	if (!bad && q->user)
		bad = curl->easy_setopt(x->easy, CURL_USERPWD, q->user);
	return bad;
}

/* As the command curl has it. */
static int
set_certificates(const struct npyio_exchange *x)
{
	const char *bundle = getenv("CURL_CA_BUNDLE");

	if (!bundle || !*bundle)
		bundle = getenv("SSL_CERT_FILE");
	if (!bundle || !*bundle)
		return CURL_OK;
	return npyio_curl()->easy_setopt(x->easy, CURL_CAINFO, bundle);
}

static int
set_callbacks(struct npyio_exchange *x)
{
	const struct npyio_curl *curl = npyio_curl();
	size_t (*header)(char *, size_t, size_t, void *) = get_header;
	size_t (*bytes)(char *, size_t, size_t, void *) = get_bytes;
	int bad = curl->easy_setopt(x->easy, CURL_HEADERFUNCTION, header);

	bad |= curl->easy_setopt(x->easy, CURL_HEADERDATA, (void *)x);
	bad |= curl->easy_setopt(x->easy, CURL_WRITEFUNCTION, bytes);
	bad |= curl->easy_setopt(x->easy, CURL_WRITEDATA, (void *)x);
	bad |= curl->easy_setopt(x->easy, CURL_ERRORBUFFER, x->text);
	return bad | curl->easy_setopt(x->easy, CURL_PRIVATE, (void *)x);
}

static int
set_limits(const struct npyio_exchange *x)
{
	static const struct {
		int option; /* npyio_curl_option */
		long value;
	} fixed[] = {
		{ CURL_NOSIGNAL, 1 },
		{ CURL_FOLLOWLOCATION, 1 },
		{ CURL_MAXREDIRS, MAX_REDIRECTS },
		{ CURL_PROTOCOLS, CURL_HTTP | CURL_HTTPS },
		{ CURL_REDIR_PROTOCOLS, CURL_HTTP | CURL_HTTPS },
		{ CURL_SUPPRESS_CONNECT_HEADERS, 1 },
		{ CURL_LOW_SPEED_LIMIT, 1 },
	};
	const struct npyio_curl *curl = npyio_curl();
	int64_t timeout = x->all->timeout;
	int bad =
		curl->easy_setopt(x->easy, CURL_LOW_SPEED_TIME, (long)timeout);

	bad |= curl->easy_setopt(x->easy, CURL_CONNECTTIMEOUT,
				 (long)tsl_min(timeout, CONNECT_TIMEOUT));
	for (size_t i = 0; i < sizeof(fixed) / sizeof(*fixed); i++)
		bad |= curl->easy_setopt(x->easy, fixed[i].option,
					 fixed[i].value);
	return bad | curl->easy_setopt(x->easy, CURL_USERAGENT, "tslice");
}

/* The handle, but for the range. */
static enum tsl_status
open_easy(struct npyio_exchange *x, struct tsl_error *err)
{
	int bad;

	x->easy = npyio_curl()->easy_init();
	if (!x->easy)
		return tsl_no_memory(err);
	bad = set_callbacks(x) | set_limits(x) | set_certificates(x);
	if (!bad)
		bad = set_request(x, &x->all->request);
	if (bad == CURL_OUT_OF_MEMORY)
		return tsl_no_memory(err);
	return bad ? tsl_fail(err, TSL_EIO,
			      "the installed libcurl cannot be used for this: "
			      "%s",
			      npyio_curl()->easy_strerror(bad))
		   : TSL_OK;
}

/* From what is missing on. */
static void
set_range(const struct npyio_exchange *x)
{
	const struct npyio_curl *curl = npyio_curl();
	const struct npyio_http_session *all = x->all;
	bool known = all->version.code && all->same;
	char range[64];

	snprintf(range, sizeof(range), "%" PRId64 "-%" PRId64, x->at,
		 x->hi - 1);
	(void)curl->easy_setopt(x->easy, CURL_RANGE, x->whole ? NULL : range);
	(void)curl->easy_setopt(x->easy, CURL_HTTPHEADER,
				known && !x->whole ? all->same : all->headers);
}

enum tsl_status
npyio_exchange_begin(struct npyio_exchange *x, void *multi,
		     struct tsl_error *err)
{
	enum tsl_status status = x->easy ? TSL_OK : open_easy(x, err);

	if (status)
		return status;
	npyio_response_init(&x->response);
	x->judged = x->is_paused = false;
	x->nsaid = 0;
	x->text[0] = '\0';
	set_range(x);
	x->state = NPYIO_EXCHANGE_UNDER_WAY;
	x->all->asked++;
	return npyio_curl()->multi_add_handle(multi, x->easy)
		       ? tsl_fail(err, TSL_EIO, "libcurl cannot begin")
		       : TSL_OK;
}

void
npyio_exchange_close(struct npyio_exchange *x, void *multi)
{
	if (x->state == NPYIO_EXCHANGE_UNDER_WAY)
		(void)npyio_curl()->multi_remove_handle(multi, x->easy);
	if (x->easy)
		npyio_curl()->easy_cleanup(x->easy);
	x->easy = NULL;
	x->state = NPYIO_EXCHANGE_FREE;
}

/* ---- what came of it ----------------------------------------------------- */

/*
 * What is not there to begin with will not be in a second; but who has answered
 * once is there.
 */
static bool
was_lost(const struct npyio_exchange *x, int result)
{
	static const int lost[] = {
		CURL_PARTIAL_FILE, CURL_OPERATION_TIMEDOUT,
		CURL_GOT_NOTHING,  CURL_SEND_ERROR,
		CURL_RECV_ERROR,   CURL_HTTP2,
		CURL_HTTP2_STREAM, CURL_HTTP3,
	};

	for (size_t i = 0; i < sizeof(lost) / sizeof(*lost); i++)
		if (lost[i] == result)
			return true;
	return x->all->version.code && (result == CURL_COULDNT_CONNECT ||
					result == CURL_COULDNT_RESOLVE_HOST ||
					result == CURL_SSL_CONNECT_ERROR);
}

static bool
may_pass(const struct npyio_exchange *x, int result)
{
	int code = x->response.code;

	if (result != CURL_OK)
		return was_lost(x, result);
	/* What was promised ended too soon, or only a part was. */
	if (code == 200 || code == 206)
		return true;
	return code == 408 || code == 429 || code >= 500;
}

static enum tsl_status
fail(const struct npyio_exchange *x, int result, struct tsl_error *err)
{
	const struct npyio_response *a = &x->response;
	char tries[32] = "";
	char said[NPYIO_HTTP_ERROR];

	if (x->tries > 0)
		snprintf(tries, sizeof(tries), " (tried %d times)",
			 x->tries + 1);
	if (result != CURL_OK)
		return tsl_fail(err, TSL_EIO, "%s%s",
				*x->text ? x->text
					 : npyio_curl()->easy_strerror(result),
				tries);
	if (a->code == 200 || a->code == 206)
		return tsl_fail(err, TSL_EIO, "the connection was lost%s",
				tries);
	if (x->all->version.code && (a->code == 412 || a->code == 416))
		return changed(err);
	npyio_http_error(said, a, x->said, x->nsaid, &x->all->request);
	return tsl_fail(err, TSL_EIO, "the server says %s%s", said, tries);
}

static int64_t
wait_for(const struct npyio_exchange *x)
{
	int64_t wait = (int64_t)FIRST_WAIT << x->tries;

	if (x->response.retry_after >= 0)
		wait = tsl_min(x->response.retry_after, MAX_WAIT / 1000) * 1000;
	return wait;
}

/* All that is wanted has come, or all that there is. */
static bool
is_complete(const struct npyio_exchange *x, int result)
{
	if (!x->judged)
		return false;
	/* What goes wrong after that is nothing to us. */
	return x->hi >= 0 ? x->at >= x->hi : x->whole && result == CURL_OK;
}

/* Nothing came, not even a byte to be judged by. */
static void
look_at_nothing(struct npyio_exchange *x, int result)
{
	struct npyio_response *a = &x->response;

	if (result != CURL_OK || x->judged || x->all->version.code)
		return;
	/* An empty file has no byte 0. */
	if ((a->code == 416 && a->total == 0) ||
	    (a->code == 200 && a->length <= 0)) {
		a->code = 200;
		a->length = 0;
		x->status = judge(x, &x->error);
		x->judged = true;
	}
}

enum tsl_status
npyio_exchange_end(struct npyio_exchange *x, void *multi, int result,
		   struct tsl_error *err)
{
	(void)npyio_curl()->multi_remove_handle(multi, x->easy);
	x->state = NPYIO_EXCHANGE_FREE;
	look_at_nothing(x, result);
	if (x->status) {
		if (err)
			*err = x->error;
		return x->status;
	}
	if (is_complete(x, result))
		return TSL_OK;
	if (x->tries >= MAX_TRIES || !may_pass(x, result))
		return fail(x, result, err);
	x->due = npyio_exchange_now() + wait_for(x);
	x->tries++;
	x->all->again++;
	x->state = NPYIO_EXCHANGE_WAITING;
	return TSL_OK;
}
