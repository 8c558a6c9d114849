/*
 * put.c - a job, done by this process alone or by several together
 */
#include "put.h"

#include "part.h"
#include "run.h"

enum tsl_status
put_job(const struct common_options *co, const struct tsl_job *job,
	const struct inputs *inputs, struct tsl_error *err)
{
	return co->part ? part_run(co, job, inputs, err)
			: run_job(co, job, inputs, err);
}
