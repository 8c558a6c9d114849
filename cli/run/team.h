/*
 * team.h - a job, done by all processes of a launcher together
 *
 * They do the same steps, and agree after each of them: if one of them fails
 * all end, with its status, and the first says what it has to say.  See
 * npyio/team/team.h.
 */
#ifndef CLI_TEAM_H
#define CLI_TEAM_H

#include "cli/option/options.h"
#include "inputs.h"
#include "lib/op/job.h"

/*
 * team_join() joins the others of co->launcher.  team_end() agrees on 'status',
 * with which this process comes to its end; 'err' is then that of the one that
 * is to be told of.  When it has been, team_leave() parts, if any were joined.
 *
 * Return TSL_OK; TSL_EIO; team_end() what another one has failed with.
 */
enum tsl_status TSL_MUST_USE team_join(struct common_options *co,
				       struct tsl_error *err);
enum tsl_status TSL_MUST_USE team_end(enum tsl_status status,
				      struct tsl_error *err);
void team_leave(void);

/*
 * team_run() does this process's share of the job, and sees to the rest, unless
 * 'status', or that of any, is a failure.  'plan' is the agreement().
 */
enum tsl_status TSL_MUST_USE team_run(const struct common_options *co,
				      const struct tsl_job *job,
				      const struct inputs *inputs,
				      const char *plan, enum tsl_status status,
				      struct tsl_error *err);

/* team_highest() is the highest of what all processes call it with. */
int team_highest(int exit_status);

#endif /* CLI_TEAM_H */
