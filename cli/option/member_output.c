/*
 * member_output.c - outputs that are members of an archive, as options have it
 */
#include "member_output.h"

#include "cli/report/message.h"
#include "npyio/format/container.h"
#include "npyio/output/member_name.h"

#include <string.h>

/* Returns as said below. */
static int
resolve_level(struct common_options *co)
{
	const char *s = co->deflate_level;

	co->level = co->deflates ? DEFLATE_LEVEL : 0;
	if (!s)
		return 0;
	if (s[0] < '1' || s[0] > '9' || s[1] != '\0')
		return message_fail(TSL_ESYNTAX,
				    "--deflate takes a level from 1 to 9, not "
				    "'%s'",
				    s);
	co->level = s[0] - '0';
	return 0;
}

static int
refuse_archive(const char *path)
{
	return message_usage("-o %s would make a file that only looks like an "
			     "archive: name the array in it, as in -o %s:NAME",
			     path, path);
}

bool
member_output_is_archive(const char *path)
{
	return npyio_container_by_name(path, strlen(path)) ==
	       &npyio_zip_container;
}

/* The option that says what a member cannot be, or NULL. */
static const char *
not_for_member(const struct common_options *co)
{
	return co->print   ? "--print"
	       : co->image ? "--image"
	       : co->raw   ? "--raw"
			   : NULL;
}

static int
check_member(const struct common_options *co, const char *name, bool makes_text)
{
	const char *other = not_for_member(co);
	struct tsl_error err;

	if (makes_text)
		return message_usage("a member of an archive is an array, and "
				     "the result is text: -o %s cannot be",
				     co->output);
	if (other)
		return message_usage("a member of an archive is an array: "
				     "%s does not go with -o %s",
				     other, co->output);
	return npyio_member_name_check(name, &err) ? message_error(&err, NULL)
						   : 0;
}

int
member_output_resolve(struct common_options *co, bool makes_text)
{
	int exit_status = resolve_level(co);
	const char *name = NULL;
	size_t file_len;

	if (!exit_status && co->output)
		name = npyio_member_name_of(co->output, &file_len);
	co->is_member = name != NULL;
	if (!exit_status && name)
		exit_status = check_member(co, name, makes_text);
	if (!exit_status && co->output && !name &&
	    member_output_is_archive(co->output))
		exit_status = refuse_archive(co->output);
	if (!exit_status && co->level && !name &&
	    !(co->target && member_output_is_archive(co->target)))
		exit_status = message_usage(
			"--deflate is for a member of an "
			"archive, -o FILE.npz:NAME or -t FILE.npz");
	return exit_status;
}
