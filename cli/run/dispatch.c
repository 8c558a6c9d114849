/*
 * dispatch.c - a job, done by this process alone or by several together
 */
#include "dispatch.h"

#include "cli/report/message.h"
#include "npyio/input/input_name.h"
#include "part.h"
#include "run.h"
#include "team.h"

#include <sys/stat.h>

int
dispatch_check_inputs(const struct common_options *co, const char *const *paths,
		      int n)
{
	bool several = co->part || co->launcher;

	for (int i = 0; i < n && several; i++) {
		struct stat st;

		if (npyio_input_is_stdin(paths[i]))
			return message_usage("several processes need files "
					     "that each can read, not standard "
					     "input");
		if (stat(npyio_input_file(paths[i]), &st) == 0 &&
		    !S_ISREG(st.st_mode) && !S_ISDIR(st.st_mode))
			return message_usage("several processes need files "
					     "that each can read: '%s' is none",
					     paths[i]);
	}
	return 0;
}

enum tsl_status
dispatch_job(const struct common_options *co, const struct tsl_job *job,
	     const struct inputs *inputs, struct tsl_error *err)
{
	if (co->part)
		return part_run(co, job, inputs, err);
	return co->launcher ? team_run(co, job, inputs, err)
			    : run_job(co, job, inputs, err);
}
