/*
 * exchange.h - one question to a server, and its answer: some bytes of a file,
 * put where they belong in another
 *
 * What may pass is asked again: a connection that was lost, an answer 429 or
 * 5xx.  What has come by then is not asked for twice.
 *
 * Offsets are in BYTES of the file.
 */
#ifndef NPYIO_EXCHANGE_H
#define NPYIO_EXCHANGE_H

#include "npyio/library/curl.h"
#include "response.h"
#include "url.h"

#include <sys/stat.h>

/* What all the exchanges about a file have in common. */
struct npyio_http_session {
	struct npyio_request request;
	struct curl_slist *headers; /* as long as nothing is known */
	struct curl_slist *same; /* if it is still the same version */
	int fd; /* where the bytes go, at their own offsets */
	int64_t timeout; /* seconds without a byte */
	struct npyio_response version; /* the first answer with bytes */
	int64_t asked, arrived; /* questions, and bytes of the file */
	int64_t again; /* questions asked again */
};

/*
 * npyio_http_session_init() is for what is zero, and
 * npyio_http_session_settle() for when the first bytes have come: all others
 * have to be of that version.  npyio_http_session_free() is due in any case.
 *
 * Return TSL_OK; what npyio_request_init() does; TSL_EIO without libcurl.
 */
enum tsl_status TSL_MUST_USE
npyio_http_session_init(struct npyio_http_session *all, const char *url,
			size_t len, struct tsl_error *err);
enum tsl_status TSL_MUST_USE npyio_http_session_settle(
	struct npyio_http_session *all, struct tsl_error *err);

/* npyio_http_session_stat() tells versions, and URLs, apart by time and inode.
 */
void npyio_http_session_stat(const struct npyio_http_session *all,
			     struct stat *st);
void npyio_http_session_free(struct npyio_http_session *all);

enum npyio_exchange_state {
	NPYIO_EXCHANGE_FREE,
	NPYIO_EXCHANGE_UNDER_WAY,
	NPYIO_EXCHANGE_WAITING, /* to be asked again, at 'due' */
};

struct npyio_exchange {
	enum npyio_exchange_state state;
	struct npyio_http_session *all;
	void *easy;
	int64_t lo, hi; /* that are wanted */
	bool whole; /* no range is asked for: all from 0 on, hi not known */
	int64_t at; /* the next byte that is wanted */
	int64_t pos; /* the next byte that comes: of all, some are skipped */
	int64_t pause_at; /* of all, it waits there */
	bool is_paused;
	int tries;
	int64_t due; /* milliseconds, of npyio_exchange_now() */
	struct npyio_response response;
	bool judged; /* the answer's bytes are wanted */
	enum tsl_status status; /* what cannot pass, found as bytes came: */
	struct tsl_error error;
	char said[256]; /* the beginning of another answer's bytes */
	size_t nsaid;
	char text[CURL_ERROR_NBYTES];
};

/* npyio_exchange_now() is a clock, in milliseconds. */
int64_t npyio_exchange_now(void);

/*
 * npyio_exchange_begin() asks for bytes [x->lo, x->hi), or all of them, from
 * x->at on, and adds the exchange to a handle of curl's many.
 * npyio_exchange_close() takes it out, and frees it.
 *
 * Returns TSL_OK; TSL_EMEMORY; TSL_EIO, where libcurl cannot.
 */
enum tsl_status TSL_MUST_USE npyio_exchange_begin(struct npyio_exchange *x,
						  void *multi,
						  struct tsl_error *err);
void npyio_exchange_close(struct npyio_exchange *x, void *multi);

/*
 * npyio_exchange_end() is for when it has come to an end, with 'result', one of
 * curl's.  It is free then, with all there, or waiting.
 *
 * Returns TSL_OK; TSL_EIO, with what the server said.
 */
enum tsl_status TSL_MUST_USE npyio_exchange_end(struct npyio_exchange *x,
						void *multi, int result,
						struct tsl_error *err);

#endif /* NPYIO_EXCHANGE_H */
