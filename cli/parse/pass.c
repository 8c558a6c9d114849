/*
 * pass.c - a text gone through once, by several threads
 */
#include "pass.h"

#include "cli/run/progress.h"
#include "npyio/file/workers.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A line is shown with a mark in it as far as this. */
#define MAX_LINE (1024 * 1024)

/* ---- what is wrong ------------------------------------------------------- */

/* Another may have stopped it already. */
static void
stop(struct pass *p, enum tsl_status status, const struct tsl_error *err)
{
	if (!p->stopped) {
		p->status = status;
		if (p->err)
			*p->err = *err;
	}
	p->stopped = true;
}

/* "line 3: " in front of the words. */
static void
name_line(struct tsl_error *err, int64_t line)
{
	char words[sizeof(err->msg) - 32];

	memcpy(words, err->msg, sizeof(words));
	words[sizeof(words) - 1] = '\0';
	snprintf(err->msg, sizeof(err->msg), "line %lld: %s", (long long)line,
		 words);
}

static void
stop_in_line(struct pass *p, struct tsl_error *err, int64_t line)
{
	name_line(err, line);
	stop(p, err->code, err);
}

static void
ragged(struct pass *p, int64_t cells, int64_t line)
{
	struct tsl_error err;

	tsl_fail(&err, TSL_ESHAPE_MISMATCH,
		 "the row has %lld cells, where there should be %lld",
		 (long long)cells, (long long)p->columns);
	stop_in_line(p, &err, line);
}

/* The line that the error's place is in, unless it begins elsewhere. */
static void
keep_line(struct pass *p, const struct chunk *c)
{
	const char *line = c->text + c->fault;
	const char *end = memchr(line, '\n', c->len - c->fault);
	size_t n = end ? (size_t)(end - line) : c->len - c->fault;

	if (c->err.pos < 0 || n > MAX_LINE || (c->within && c->lines == 0))
		return;
	if (n > 0 && line[n - 1] == '\r')
		n--;
	p->bad_line = strndup(line, n);
	/* What is quoted may have more lines, or end at a NUL. */
	n = p->bad_line ? strlen(p->bad_line) : 0;
	if ((size_t)c->err.pos + (size_t)c->err.len > n && p->err) {
		p->err->pos = c->err.pos < (int)n ? c->err.pos : (int)n;
		p->err->len = (int)n - p->err->pos;
	}
}

/* What could not be read is in no line. */
static void
report_chunk(struct pass *p, struct chunk *c)
{
	if (c->status == TSL_EIO) {
		stop(p, c->status, &c->err);
		return;
	}
	stop_in_line(p, &c->err, p->line + c->lines + 1);
	keep_line(p, c);
}

/* ---- counting ------------------------------------------------------------ */

/* A row that was in several chunks. */
static void
close_row(struct pass *p)
{
	if (p->row == 0)
		return;
	if (p->columns == ROWS_NOT_KNOWN)
		p->columns = p->row;
	if (p->row != p->columns)
		ragged(p, p->row, p->line + 1);
	p->rows++;
	p->row = 0;
}

static void
count_rows(struct pass *p, const struct chunk *c)
{
	p->row += c->head;
	if (c->closes)
		close_row(p);
	if (p->stopped)
		return;
	if (p->columns == ROWS_NOT_KNOWN)
		p->columns = c->columns;
	if (c->columns != ROWS_NOT_KNOWN && c->columns != p->columns)
		ragged(p, c->columns, p->line + c->first_row + 1);
	p->rows += c->rows;
	p->row += c->tail;
}

/* The chunk is the next in order. */
static void
count_chunk(struct pass *p, struct chunk *c)
{
	count_rows(p, c);
	if (c->widest > p->widest)
		p->widest = c->widest;
	if (c->status && !p->stopped)
		report_chunk(p, c);
	if (c->not_integer)
		p->not_integer = p->stopped = true;
	p->line += c->lines;
}

/* Waits for the chunk's turn; stores which element its first is. */
static bool
take_turn(struct pass *p, struct chunk *c, int64_t *first)
{
	bool goes_on;

	pthread_mutex_lock(&p->counting);
	while (p->turn != c->number && !p->stopped)
		pthread_cond_wait(&p->turn_comes, &p->counting);
	if (!p->stopped)
		count_chunk(p, c);
	goes_on = !p->stopped;
	*first = p->count;
	p->count += (int64_t)c->nbytes / p->rules.schema->dtype.size;
	p->turn++;
	pthread_cond_broadcast(&p->turn_comes);
	pthread_mutex_unlock(&p->counting);
	return goes_on;
}

/* ---- chunks -------------------------------------------------------------- */

/* False: there is none. */
static bool
read_chunk(struct pass *p, struct chunk *c)
{
	struct chunker *k = &p->chunker;
	bool is_one;

	pthread_mutex_lock(&p->reading);
	rows_begin(c);
	is_one = !k->ended || k->nrest > 0;
	if (is_one) {
		c->number = p->next++;
		c->status = chunker_next(k, c, &c->err);
		/* Nobody is to go on behind it. */
		k->ended = k->ended || c->status;
	}
	pthread_mutex_unlock(&p->reading);
	return is_one;
}

static void
stop_writing(struct pass *p, enum tsl_status status,
	     const struct tsl_error *err)
{
	pthread_mutex_lock(&p->counting);
	stop(p, status, err);
	pthread_cond_broadcast(&p->turn_comes);
	pthread_mutex_unlock(&p->counting);
}

static bool
write_elements(struct pass *p, const struct chunk *c, int64_t first)
{
	struct tsl_error err;
	enum tsl_status status;

	if (!p->out || c->nbytes == 0)
		return true;
	status = npyio_writer_put(
		p->out, c->elements, c->nbytes,
		p->offset + first * p->rules.schema->dtype.size, &err);
	if (status)
		stop_writing(p, status, &err);
	return !status;
}

static bool
do_chunk(struct pass *p, struct chunk *c)
{
	int64_t first;

	if (!c->status)
		rows_parse(&p->rules, c);
	if (!take_turn(p, c, &first) || !write_elements(p, c, first))
		return false;
	progress_add((int64_t)c->len);
	return true;
}

/* An npyio_task: one thread's chunks. */
static enum tsl_status
work(void *pass, int worker, int64_t i, struct tsl_error *err)
{
	struct pass *p = pass;
	struct chunk c = { .text = NULL };

	(void)worker, (void)i, (void)err;
	while (read_chunk(p, &c) && do_chunk(p, &c))
		;
	rows_free(&c);
	return TSL_OK;
}

/* An npyio_release: nothing is held between two. */
static void
release(void *pass, int worker)
{
	(void)pass, (void)worker;
}

static void
begin(struct pass *p, struct tsl_error *err)
{
	p->rows = p->count = p->widest = p->next = p->turn = p->row = 0;
	p->columns = ROWS_NOT_KNOWN;
	p->not_integer = p->stopped = false;
	p->status = TSL_OK;
	p->err = err;
	pthread_mutex_init(&p->reading, NULL);
	pthread_mutex_init(&p->counting, NULL);
	pthread_cond_init(&p->turn_comes, NULL);
}

static void
end(struct pass *p)
{
	/* The text may end in a row. */
	if (!p->stopped)
		close_row(p);
	pthread_cond_destroy(&p->turn_comes);
	pthread_mutex_destroy(&p->counting);
	pthread_mutex_destroy(&p->reading);
}

enum tsl_status
pass_run(struct pass *p, struct tsl_error *err)
{
	enum tsl_status status;

	begin(p, err);
	status = npyio_run_tasks(work, release, p, p->threads, p->threads, err);
	end(p);
	return status ? status : p->status;
}
