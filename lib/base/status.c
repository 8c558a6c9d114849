/*
 * status.c - the table of kinds, and how an error is filled
 */
#include "status.h"

#include <stdarg.h>
#include <stdio.h>

static const struct {
	const char *kind;
	int exit_status;
} statuses[] = {
#define X(name, kind, exit_status) { kind, exit_status },
	TSL_STATUS_LIST(X)
#undef X
};

const char *
tsl_status_kind(enum tsl_status status)
{
	return statuses[status].kind;
}

int
tsl_status_exit(enum tsl_status status)
{
	return statuses[status].exit_status;
}

static enum tsl_status
fill(struct tsl_error *err, enum tsl_status code, const char *fmt, va_list ap)
{
	if (!err)
		return code;
	err->code = code;
	err->pos = -1;
	err->len = 0;
	err->item = -1;
	err->sys = 0;
	err->subject = NULL;
	vsnprintf(err->msg, sizeof(err->msg), fmt, ap);
	return code;
}

enum tsl_status
tsl_fail(struct tsl_error *err, enum tsl_status code, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	fill(err, code, fmt, ap);
	va_end(ap);
	return code;
}

enum tsl_status
tsl_fail_at(struct tsl_error *err, enum tsl_status code, int pos, int len,
	    const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	fill(err, code, fmt, ap);
	va_end(ap);
	if (err) {
		err->pos = pos;
		err->len = len;
	}
	return code;
}

enum tsl_status
tsl_fail_item(struct tsl_error *err, enum tsl_status code, int item,
	      const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	fill(err, code, fmt, ap);
	va_end(ap);
	if (err)
		err->item = item;
	return code;
}

enum tsl_status
tsl_about(enum tsl_status status, const char *subject, struct tsl_error *err)
{
	if (status && err)
		err->subject = subject;
	return status;
}

enum tsl_status
tsl_about_new(enum tsl_status status, const char *subject,
	      struct tsl_error *err)
{
	return err && err->subject ? status : tsl_about(status, subject, err);
}

enum tsl_status
tsl_no_memory(struct tsl_error *err)
{
	return tsl_fail(err, TSL_EMEMORY, "out of memory");
}
