/*
 * load.h - the plugin of the launcher's MPI
 */
#ifndef NPYIO_LOAD_H
#define NPYIO_LOAD_H

#include "launcher.h"
#include "lib/base/status.h"
#include "team.h"

/*
 * npyio_team_load() loads a plugin that suits the launcher, or the one of that
 * name, and joins the other processes.
 *
 * Returns TSL_OK; TSL_EIO: there is none, or it sees another number of
 * processes than the launcher has started, and so is of another MPI.
 */
enum tsl_status TSL_MUST_USE npyio_team_load(const struct npyio_team **team,
					     const struct npyio_launcher *l,
					     const char *name,
					     struct tsl_error *err);

#endif /* NPYIO_LOAD_H */
