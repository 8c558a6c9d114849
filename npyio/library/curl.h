/*
 * curl.h - the functions of libcurl that there is use for
 *
 * They, and the numbers that go with them, are declared here, so that nothing
 * of libcurl is needed to build.  The numbers are those of its header
 * curl/curl.h, and never change: what it calls CURLOPT_URL is CURL_URL here,
 * and so on.  A number of options has its type in front: 0 for a long, 10000
 * for a pointer, 20000 for a function.
 */
#ifndef NPYIO_CURL_H
#define NPYIO_CURL_H

#include "lib/base/status.h"

#include <stddef.h>

/* curl_easy_setopt(); see its page of the manual, CURLOPT_...(3) */
enum npyio_curl_option {
	CURL_LOW_SPEED_LIMIT = 19,
	CURL_LOW_SPEED_TIME = 20,
	CURL_NETRC = 51,
	CURL_FOLLOWLOCATION = 52,
	CURL_MAXREDIRS = 68,
	CURL_CONNECTTIMEOUT = 78,
	CURL_NOSIGNAL = 99,
	CURL_PROTOCOLS = 181, /* and the next are bits, CURL_HTTP.. */
	CURL_REDIR_PROTOCOLS = 182,
	CURL_SUPPRESS_CONNECT_HEADERS = 265,
	CURL_WRITEDATA = 10001,
	CURL_URL = 10002,
	CURL_USERPWD = 10005,
	CURL_RANGE = 10007,
	CURL_ERRORBUFFER = 10010,
	CURL_USERAGENT = 10018,
	CURL_HTTPHEADER = 10023,
	CURL_HEADERDATA = 10029,
	CURL_CAINFO = 10065,
	CURL_PRIVATE = 10103,
	CURL_AWS_SIGV4 = 10305,
	CURL_WRITEFUNCTION = 20011,
	CURL_HEADERFUNCTION = 20079,
};

#define CURL_HTTP (1L << 0) /* CURLPROTO_HTTP */
#define CURL_HTTPS (1L << 1)
#define CURL_NETRC_OPTIONAL 1L
#define CURL_GLOBAL_DEFAULT 3L
#define CURL_ERROR_NBYTES 256 /* CURL_ERROR_SIZE */
#define CURL_PAUSE ((size_t)0x10000001) /* CURL_WRITEFUNC_PAUSE */
#define CURL_CONT 0 /* CURLPAUSE_CONT */
#define CURL_INFO_PRIVATE (0x100000 + 21) /* CURLINFO_PRIVATE */
#define CURL_DONE 1 /* CURLMSG_DONE */

/* What came of a transfer, CURLE_...; see libcurl-errors(3). */
enum npyio_curl_code {
	CURL_OK = 0,
	CURL_COULDNT_RESOLVE_PROXY = 5,
	CURL_COULDNT_RESOLVE_HOST = 6,
	CURL_COULDNT_CONNECT = 7,
	CURL_HTTP2 = 16,
	CURL_PARTIAL_FILE = 18,
	CURL_OUT_OF_MEMORY = 27,
	CURL_OPERATION_TIMEDOUT = 28,
	CURL_SSL_CONNECT_ERROR = 35,
	CURL_TOO_MANY_REDIRECTS = 47,
	CURL_UNKNOWN_OPTION = 48,
	CURL_GOT_NOTHING = 52,
	CURL_SEND_ERROR = 55,
	CURL_RECV_ERROR = 56,
	CURL_HTTP2_STREAM = 92,
	CURL_HTTP3 = 95,
};

struct curl_slist; /* a list of header lines */

struct npyio_curl_message { /* CURLMsg */
	int what;
	void *easy;
	union {
		void *whatever;
		int result;
	} data;
};

#define NPYIO_CURL_FUNCTIONS(X)                                            \
	X(int, global_init, (long flags))                                  \
	X(void *, easy_init, (void))                                       \
	X(int, easy_setopt, (void *easy, int option, ...))                 \
	X(int, easy_getinfo, (void *easy, int what, ...))                  \
	X(int, easy_pause, (void *easy, int how))                          \
	X(const char *, easy_strerror, (int code))                         \
	X(void, easy_cleanup, (void *easy))                                \
	X(void *, multi_init, (void))                                      \
	X(int, multi_add_handle, (void *multi, void *easy))                \
	X(int, multi_remove_handle, (void *multi, void *easy))             \
	X(int, multi_perform, (void *multi, int *running))                 \
	X(int, multi_poll,                                                 \
	  (void *multi, void *fds, unsigned nfds, int timeout_ms, int *n)) \
	X(struct npyio_curl_message *, multi_info_read,                    \
	  (void *multi, int *left))                                        \
	X(const char *, multi_strerror, (int code))                        \
	X(int, multi_cleanup, (void *multi))                               \
	X(struct curl_slist *, slist_append,                               \
	  (struct curl_slist * list, const char *line))                    \
	X(void, slist_free_all, (struct curl_slist * list))

struct npyio_curl {
#define X(type, name, arguments) type(*name) arguments;
	NPYIO_CURL_FUNCTIONS(X)
#undef X
};

/*
 * npyio_curl_load() loads the library, if it is not loaded yet;
 * npyio_curl() is its functions from then on.  Not while other threads may do
 * the same.
 *
 * Returns TSL_OK; TSL_EIO, naming the package that has it.
 */
enum tsl_status TSL_MUST_USE npyio_curl_load(struct tsl_error *err);
const struct npyio_curl *npyio_curl(void);

#endif /* NPYIO_CURL_H */
