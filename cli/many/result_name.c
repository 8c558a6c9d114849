/*
 * result_name.c - what the result of an input is called
 */
#include "result_name.h"

#include "npyio/input/archive.h"
#include "npyio/input/input_name.h"
#include "npyio/remote/url.h"

#include <string.h>
#include <sys/stat.h>

#define SUFFIX ".npy"

/* An input, taken apart. */
struct parts {
	const char *file;
	size_t file_len;
	const char *member; /* or NULL */
	size_t member_len;
	bool is_bare; /* elements without a header: the result is an .npy */
};

/* Where the name of a member begins, in a path that is no file's; or NULL. */
static const char *
member_in(const char *path)
{
	const char *member =
		npyio_container_member_in(path, strlen(path), NULL);
	size_t file_len;

	if (!member && npyio_archive_leads_in(path, &file_len))
		member = path + file_len + 1;
	return member;
}

/* What says who asks, and how, is no part of a name. */
static struct parts
take_url_apart(struct parts p)
{
	const char *member =
		p.member || p.is_bare ? NULL : npyio_url_member(p.file);
	const char *url = p.file;

	p.file_len = npyio_url_place(url, &p.file);
	if (member) {
		if (member - 1 < p.file + p.file_len)
			p.file_len = (size_t)(member - 1 - p.file);
		p.member = member;
		p.member_len = strlen(member);
	}
	return p;
}

static struct parts
split_name(const char *path, const char *member, int len)
{
	struct parts p = {
		.file = member ? path : npyio_input_file(path),
		.member = member,
		.member_len = (size_t)len,
		.is_bare = !member && npyio_input_has_scheme(path),
	};
	struct stat st;

	p.file_len = strlen(p.file);
	if (npyio_url_is(p.file))
		return take_url_apart(p);
	if (p.is_bare)
		return p;
	if (member || !strchr(path, ':') || lstat(path, &st) == 0)
		return p;
	p.member = member_in(path);
	if (p.member) {
		p.file_len = (size_t)(p.member - 1 - path);
		p.member_len = strlen(p.member);
	}
	return p;
}

/* The components of s[0, len) that stand for something; false: "..". */
static bool
add_components(struct npyio_text *name, const char *s, size_t len)
{
	while (len > 0) {
		const char *slash = memchr(s, '/', len);
		size_t n = slash ? (size_t)(slash - s) : len;

		if (n == 2 && memcmp(s, "..", 2) == 0)
			return false;
		if (n > 0 && !(n == 1 && *s == '.')) {
			if (name->len > 0)
				npyio_text_puts(name, "/");
			npyio_text_add(name, s, n);
		}
		s += slash ? n + 1 : n;
		len -= slash ? n + 1 : n;
	}
	return true;
}

static void
add_last(struct npyio_text *name, const char *s, size_t len)
{
	size_t n = 0;

	while (n < len && s[len - 1 - n] != '/')
		n++;
	npyio_text_add(name, s + len - n, n);
}

static bool
add_all(struct npyio_text *name, const struct parts *p)
{
	if (!add_components(name, p->file, p->file_len))
		return false;
	return !p->member || add_components(name, p->member, p->member_len);
}

/* What has no name of a file with a header. */
static bool
lacks_suffix(const struct parts *p)
{
	return p->is_bare ||
	       (p->member && !npyio_ends_in(p->member, p->member_len, SUFFIX));
}

enum tsl_status
result_name(struct npyio_text *name, const char *path, const char *member,
	    int len, bool parents, bool raw, struct tsl_error *err)
{
	struct parts p = split_name(path, member, len);

	if (parents && !add_all(name, &p))
		return tsl_fail(err, TSL_EUSAGE,
				"--parents takes no name with '..' in it");
	if (!parents && p.member)
		add_last(name, p.member, p.member_len);
	else if (!parents)
		add_last(name, p.file, p.file_len);
	if (!raw && lacks_suffix(&p))
		npyio_text_puts(name, SUFFIX);
	/* Nothing is called nothing; it is found out when it is made. */
	npyio_text_add(name, "", 0);
	return npyio_text_ok(name) ? TSL_OK : tsl_no_memory(err);
}

bool
result_name_has_dots(const char *path)
{
	for (const char *s = path; (s = strstr(s, "..")); s++)
		if ((s == path || s[-1] == '/') &&
		    (s[2] == '\0' || s[2] == '/'))
			return true;
	return false;
}
