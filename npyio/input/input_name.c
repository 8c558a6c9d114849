/*
 * input_name.c - what the name of an input leads to, as far as it says so
 */
#include "input_name.h"

#include "npyio/format/raw.h"
#include "npyio/remote/url.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

bool
npyio_input_has_scheme(const char *name)
{
	return npyio_raw_is(name);
}

enum tsl_status
npyio_input_check(const char *name, struct tsl_error *err)
{
	struct npyio_raw raw;
	enum tsl_status status;

	if (!npyio_raw_is(name))
		return TSL_OK;
	status = npyio_raw_parse(&raw, name, err);
	npyio_raw_free(&raw);
	return tsl_about(status, name, err);
}

const char *
npyio_input_file(const char *name)
{
	struct npyio_raw raw;
	const char *file = name;

	if (!npyio_raw_is(name))
		return name;
	if (!npyio_raw_parse(&raw, name, NULL))
		file = raw.file;
	npyio_raw_free(&raw);
	return file;
}

bool
npyio_input_is_stdin(const char *name)
{
	return strcmp(npyio_input_file(name), "-") == 0;
}

bool
npyio_input_is_url(const char *name)
{
	return npyio_url_is(npyio_input_file(name));
}

void
npyio_input_show(struct npyio_text *t, const char *name)
{
	const char *file = npyio_input_file(name);

	if (npyio_url_is(file))
		npyio_url_show(t, name, file);
	else
		npyio_text_puts(t, name);
}

/* Who has a name in a message may outlive whoever opened the URL. */
struct shown {
	struct shown *next;
	struct npyio_text text;
};

static struct shown *all_shown;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* The one that is there already, or this one. */
static const char *
keep_shown(struct shown *new)
{
	for (const struct shown *s = all_shown; s; s = s->next) {
		if (strcmp(s->text.s, new->text.s) != 0)
			continue;
		npyio_text_free(&new->text);
		free(new);
		return s->text.s;
	}
	new->next = all_shown;
	all_shown = new;
	return new->text.s;
}

const char *
npyio_input_shown(const char *name)
{
	struct shown *new;
	const char *shown = NULL;

	if (!npyio_input_is_url(name))
		return name;
	new = calloc(1, sizeof(*new));
	if (!new)
		return NULL;
	npyio_input_show(&new->text, name);
	pthread_mutex_lock(&lock);
	if (npyio_text_ok(&new->text))
		shown = keep_shown(new);
	else
		free(new);
	pthread_mutex_unlock(&lock);
	return shown;
}
