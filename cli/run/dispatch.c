/*
 * dispatch.c - a job, done by this process alone or by several together
 */
#include "dispatch.h"

#include "agreement.h"
#include "cli/option/device.h"
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

static enum tsl_status
run_with_others(const struct common_options *co, const struct tsl_job *job,
		const struct inputs *inputs, struct tsl_error *err)
{
	struct npyio_text plan = { 0 };
	enum tsl_status status = agreement(&plan, co, job, inputs, err);

	if (!status)
		status = device_open(co->device, err);
	/* The others of a team wait to hear of it. */
	if (!co->part)
		status = team_run(co, job, inputs, plan.s, status, err);
	else if (!status)
		status = part_run(co, job, inputs, plan.s, err);
	device_close();
	npyio_text_free(&plan);
	return status;
}

enum tsl_status
dispatch_job(const struct common_options *co, const struct tsl_job *job,
	     const struct inputs *inputs, struct tsl_error *err)
{
	return co->part || co->launcher ? run_with_others(co, job, inputs, err)
					: run_job(co, job, inputs, err);
}
