/*
 * output.c - what -o names, and how it is written: what does not go together
 */
#include "output.h"

#include "cli/report/message.h"
#include "npyio/input/archive.h"
#include "npyio/input/input_name.h"

int
output_check(const struct common_options *co)
{
	const struct npyio_container *kind;
	size_t file_len;

	if (co->output && npyio_input_has_scheme(co->output))
		return message_usage("'%s' names an input; a file of such a "
				     "name is ./%s, and --raw leaves the "
				     "header out",
				     co->output, co->output);
	if (co->output && npyio_input_is_url(co->output))
		return message_usage("nothing can be written to a URL");
	kind = co->output ? npyio_archive_leads_in(co->output, &file_len)
			  : NULL;
	if (kind && kind != &npyio_zip_container)
		return message_usage("nothing can be written into a %s: -o %s",
				     kind->name, co->output);
	if (co->raw && (co->print || co->image))
		return message_usage("--raw does not go with %s",
				     co->print ? "--print" : "--image");
	return 0;
}
