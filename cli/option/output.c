/*
 * output.c - what -o names, and how it is written: what does not go together
 */
#include "output.h"

#include "cli/report/message.h"
#include "npyio/input/input_name.h"

int
output_check(const struct common_options *co)
{
	if (co->output && npyio_input_has_scheme(co->output))
		return message_usage("'%s' names an input; a file of such a "
				     "name is ./%s, and --raw leaves the "
				     "header out",
				     co->output, co->output);
	if (co->raw && (co->print || co->image))
		return message_usage("--raw does not go with %s",
				     co->print ? "--print" : "--image");
	return 0;
}
