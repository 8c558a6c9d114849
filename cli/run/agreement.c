/*
 * agreement.c - what processes must agree on who make one result together
 */
#include "agreement.h"

#include "cli/report/version.h"
#include "npyio/team/plan.h"

#include <string.h>

/* What each may say in its own way. */
static const char *const own[] = {
	"output", "part",     "mpi",      "threads",    "max-memory", "device",
	"sync",   "json",     "progress", "no-clobber", "quiet",      "verbose",
	"help",   "version",  "no-drain", "print",      "precision",  "image",
	"range",  "colormap", "encoding", "explain",
};

static bool
is_own(const char *name)
{
	for (size_t i = 0; i < sizeof(own) / sizeof(own[0]); i++)
		if (strcmp(name, own[i]) == 0)
			return true;
	return false;
}

static void
add_option(struct npyio_text *plan, const struct opt *o)
{
	if (o->flag && *o->flag)
		npyio_text_printf(plan, " --%s", o->name);
	if (o->string && *o->string)
		npyio_text_printf(plan, " --%s=%s", o->name, *o->string);
	if (o->choice && *o->choice >= 0)
		npyio_text_printf(plan, " --%s=%s", o->name,
				  o->choices[*o->choice]);
}

enum tsl_status
agreement(struct npyio_text *plan, const struct common_options *co,
	  const struct tsl_job *job, const struct inputs *inputs,
	  struct tsl_error *err)
{
	npyio_text_printf(plan, "tslice: " TSLICE_VERSION "\noptions:");
	for (const struct opt *o = co->table; o->name; o++)
		if (!is_own(o->name))
			add_option(plan, o);
	npyio_text_printf(plan, "\nparts: %d\n", co->portion.count);
	return npyio_plan(plan, job, inputs->in, inputs->n, err);
}
