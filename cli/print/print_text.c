/*
 * print_text.c - a result as numbers and words, for other programs
 *
 * What the transfer would write to a file comes here instead, piece by piece,
 * and goes on as text.  To make digits takes longer than to fetch what they
 * are made of: so several threads do it, each for elements of its own.
 */
#include "print_text.h"

#include "json_table.h"
#include "lib/base/minmax.h"
#include "npyio/file/workers.h"
#include "table.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Bytes of elements whose text a thread keeps; less is not worth a thread. */
#define MAX_SHARE ((int64_t)128 * 1024)
#define MIN_SHARE ((int64_t)16 * 1024)

/* What a thread takes of the memory that is allowed. */
#define SHARE_ROOM (16 * MAX_SHARE)

struct printing {
	bool is_json;
	struct table table;
	struct json_table lists; /* instead, of that form */
	int64_t size; /* bytes of an element */
	int64_t done; /* elements that are written, or about to be */
	struct text_out out;
	struct npyio_text rest; /* of an element that has not come whole */
	int nsharers; /* 0: it is not shared out */
	struct text_out *share; /* the text that each makes */
	const char *bytes; /* elements to be shared out */
	int64_t n, per_share;
	pthread_mutex_t lock; /* of what follows, and of where 'out' is */
	pthread_cond_t passed;
	int64_t turn; /* the share whose text comes next */
	int64_t failed; /* the first that never will, with what came of it */
	enum tsl_status status;
};

/* ---- elements ------------------------------------------------------------ */

/* n of them, of which the first is number 'first'. */
static void
put(const struct printing *p, int64_t first, const char *bytes, int64_t n,
    struct text_out *out)
{
	struct pen pen;

	if (p->is_json) {
		json_table_put(&p->lists, first, bytes, n, out);
		return;
	}
	pen_begin(&pen, &p->table, out, first);
	pen_put(&pen, bytes, n);
}

static void
put_alone(struct printing *p, const char *bytes, int64_t n)
{
	put(p, p->done, bytes, n, &p->out);
	p->done += n;
}

/* Waits for the text before that of a share, or for the end of all. */
static enum tsl_status
await_turn(struct printing *p, int64_t i, struct tsl_error *err)
{
	while (p->turn < i && p->failed > i)
		pthread_cond_wait(&p->passed, &p->lock);
	return p->turn < i ? tsl_fail(err, p->status, "%s",
				      tsl_status_kind(p->status))
			   : TSL_OK;
}

/*
 * Where a text goes is known when those before it are made; that they have been
 * written, too, is waited for only where there are no positions.
 */
static enum tsl_status
put_share(struct printing *p, int64_t i, const struct text_out *text,
	  struct tsl_error *err)
{
	bool is_positional = npyio_writer_is_positional(p->out.to);
	enum tsl_status status = text->status;
	int64_t at;

	pthread_mutex_lock(&p->lock);
	if (!status)
		status = await_turn(p, i, err);
	at = p->out.written;
	if (!status && !is_positional)
		status = npyio_writer_put(p->out.to, text->bytes, text->len, at,
					  err);
	if (!status) {
		p->out.written += (int64_t)text->len;
		p->turn = i + 1;
	} else if (i < p->failed) {
		p->failed = i;
		p->status = status;
	}
	pthread_cond_broadcast(&p->passed);
	pthread_mutex_unlock(&p->lock);
	return status || !is_positional
		       ? status
		       : npyio_writer_put(p->out.to, text->bytes, text->len, at,
					  err);
}

/* An npyio_task. */
static enum tsl_status
make_share(void *printing, int worker, int64_t i, struct tsl_error *err)
{
	struct printing *p = printing;
	struct text_out *text = &p->share[worker];
	int64_t first = i * p->per_share;

	text->err = err;
	text->len = 0;
	put(p, p->done + first, p->bytes + first * p->size,
	    tsl_min(p->per_share, p->n - first), text);
	return put_share(p, i, text, err);
}

/* An npyio_release: what is made is kept. */
static void
keep_shares(void *printing, int worker)
{
	(void)printing, (void)worker;
}

static void
put_shared(struct printing *p, const char *bytes, int64_t n, int64_t nshares,
	   struct tsl_error *err)
{
	p->bytes = bytes;
	p->n = n;
	p->per_share = (n - 1) / nshares + 1;
	p->turn = 0;
	text_out_flush(&p->out);
	if (!p->out.status)
		p->out.status = npyio_run_tasks(make_share, keep_shares, p,
						(n - 1) / p->per_share + 1,
						p->nsharers, err);
	p->done += n;
}

static void
put_some(struct printing *p, const char *bytes, int64_t n,
	 struct tsl_error *err)
{
	int64_t nbytes = n * p->size;
	int64_t nshares = tsl_max(tsl_min(p->nsharers, nbytes / MIN_SHARE),
				  nbytes / MAX_SHARE);

	if (p->nsharers > 1 && nshares > 1 && n > 1)
		put_shared(p, bytes, n, nshares, err);
	else
		put_alone(p, bytes, n);
}

/* Completes the element that has begun to come; returns what it took. */
static int64_t
complete(struct printing *p, const char *bytes, int64_t n)
{
	n = tsl_min(n, p->size - (int64_t)p->rest.len);
	npyio_text_add(&p->rest, bytes, (size_t)n);
	if ((int64_t)p->rest.len == p->size) {
		put_alone(p, p->rest.s, 1);
		npyio_text_cut(&p->rest, 0);
	}
	return n;
}

/* An npyio_sink. */
static enum tsl_status
take(void *printing, const char *bytes, size_t len, struct tsl_error *err)
{
	struct printing *p = printing;
	int64_t n = (int64_t)len;

	p->out.err = err;
	while (n > 0 && !p->out.status) {
		int64_t done;

		if (p->rest.len > 0 || n < p->size) {
			done = complete(p, bytes, n);
		} else {
			done = n / p->size * p->size;
			put_some(p, bytes, n / p->size, err);
		}
		if (!npyio_text_ok(&p->rest))
			return tsl_no_memory(err);
		bytes += done;
		n -= done;
	}
	return p->out.status;
}

/* ---- all of it ----------------------------------------------------------- */

static enum tsl_status
put_elements(struct printing *p, const struct npyio_transfer *transfer,
	     struct tsl_error *err)
{
	struct npyio_transfer to_table = *transfer;
	int64_t count = tsl_array_count(&transfer->job->out);
	enum tsl_status status = npyio_writer_open_sink(
		&to_table.out, transfer->out, take, p, err);

	if (status)
		return status;
	to_table.headless = to_table.unturned = true;
	status = npyio_transfer(&to_table, err);
	npyio_writer_abort(to_table.out);
	p->out.err = err;
	/* What has no bytes does not come. */
	if (p->size == 0)
		put_alone(p, "", count);
	if (p->is_json)
		json_table_end(&p->lists, &p->out);
	else if (count > 0)
		text_out_char(&p->out, '\n');
	return status;
}

static void
put_names(struct printing *p)
{
	struct pen pen;

	pen_begin(&pen, &p->table, &p->out, 0);
	if (!p->is_json && p->table.is_structured &&
	    p->table.style.form != PRINT_PLAIN)
		pen_put_names(&pen);
}

static enum tsl_status
put_table(struct printing *p, const struct npyio_transfer *transfer,
	  struct tsl_error *err)
{
	int64_t count = tsl_array_count(&transfer->job->out);
	enum tsl_status status;

	if (p->is_json ? !json_table_has_end(&p->lists)
		       : !record_has_end(&p->table.record, count))
		return tsl_fail(err, TSL_ETOO_LARGE,
				"more elements without bytes than anybody "
				"would read");
	put_names(p);
	status = put_elements(p, transfer, err);
	if (!status)
		text_out_flush(&p->out);
	return status ? status : p->out.status;
}

static enum tsl_status
open_shares(struct printing *p, const struct npyio_transfer *transfer,
	    struct tsl_error *err)
{
	int64_t most = tsl_min(transfer->max_memory / SHARE_ROOM,
			       transfer->job->nbytes / MIN_SHARE);
	int64_t n =
		tsl_min(tsl_min(transfer->threads, most), NPYIO_MAX_WORKERS);
	enum tsl_status status = TSL_OK;

	p->share = calloc((size_t)tsl_max(n, 1), sizeof(*p->share));
	if (!p->share)
		return tsl_no_memory(err);
	for (; p->nsharers < n && !status; p->nsharers++)
		status = text_out_init(&p->share[p->nsharers], NULL, err);
	return status;
}

static void
close_shares(struct printing *p)
{
	for (int i = 0; i < p->nsharers; i++)
		text_out_close(&p->share[i]);
	free(p->share);
}

enum tsl_status
print_text(const struct npyio_transfer *transfer, const struct print *how,
	   struct tsl_error *err)
{
	const struct cell_style style = {
		.form = how->form,
		.separator = how->form == PRINT_CSV   ? ','
			     : how->form == PRINT_TSV ? '\t'
						      : ' ',
		.precision = how->precision,
		.is_safe = isatty(npyio_writer_descriptor(transfer->out)),
	};
	const struct tsl_array *a = &transfer->job->out;
	struct printing p = {
		.size = a->dtype.size,
		.is_json = how->form == PRINT_JSON,
		.lock = PTHREAD_MUTEX_INITIALIZER,
		.passed = PTHREAD_COND_INITIALIZER,
		.failed = INT64_MAX,
	};
	enum tsl_status status = text_out_init(&p.out, transfer->out, err);

	if (!status)
		status = open_shares(&p, transfer, err);
	if (!status)
		status = p.is_json ? json_table_init(&p.lists, a, &style, err)
				   : table_init(&p.table, a, &style, err);
	if (!status)
		status = put_table(&p, transfer, err);
	table_free(&p.table);
	json_table_free(&p.lists);
	npyio_text_free(&p.rest);
	close_shares(&p);
	text_out_close(&p.out);
	return status;
}
