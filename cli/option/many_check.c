/*
 * many_check.c - the options of a command that takes many inputs
 */
#include "many_check.h"

#include "cli/report/message.h"
#include "member_output.h"
#include "npyio/input/input_name.h"

bool
many_may_be(const struct common_options *co)
{
	return co->target || co->files0 || co->in_place;
}

/* What is written in place makes no other result. */
static int
check_in_place(const struct common_options *co)
{
	const char *other = co->output            ? "-o"
			    : co->print           ? "--print"
			    : co->image           ? "--image"
			    : co->raw             ? "--raw"
			    : co->order >= 0      ? "--order"
			    : co->byte_order >= 0 ? "--byte-order"
			    : co->no_clobber      ? "--no-clobber"
						  : NULL;

	if (co->in_place && other)
		return message_usage("--in-place makes no new file: it does "
				     "not go with %s",
				     other);
	return 0;
}

int
many_check(const struct common_options *co)
{
	const char *other = co->output     ? "-o"
			    : co->print    ? "--print"
			    : co->image    ? "--image"
			    : co->in_place ? "--in-place"
					   : co->alone;

	if (co->target && other)
		return message_usage("-t makes a file for each input: it does "
				     "not go with %s",
				     other);
	if (co->target && npyio_input_is_url(co->target))
		return message_usage("nothing can be written to a URL");
	if (co->target && member_output_is_archive(co->target) &&
	    (co->part || co->launcher))
		return message_usage("an archive, -t %s, is made by one "
				     "process: it does not go with --part",
				     co->target);
	if (co->target && member_output_is_archive(co->target) && co->raw)
		return message_usage("a member of an archive is an array: "
				     "--raw does not go with -t %s",
				     co->target);
	if (co->parents && !co->target)
		return message_usage("--parents goes with -t only");
	if (co->many && !co->target && !co->in_place)
		return message_usage("--files0-from needs -t DIR, for the "
				     "results");
	return check_in_place(co);
}
