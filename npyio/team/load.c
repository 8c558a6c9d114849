/*
 * load.c - the plugin of the launcher's MPI
 */
#include "load.h"

#include <dlfcn.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#ifndef TSLICE_LIBEXECDIR
#define TSLICE_LIBEXECDIR "/usr/local/libexec"
#endif

#define MAX_PLUGINS 3

/* Where they are: installed, seen from the program; or beside it, as built. */
static const char *const places[] = { "/../libexec/tslice", "" };

static bool
directory_of_program(char path[PATH_MAX])
{
	ssize_t n = readlink("/proc/self/exe", path, PATH_MAX - 1);
	char *slash;

	if (n <= 0)
		return false;
	path[n] = '\0';
	slash = strrchr(path, '/');
	if (slash)
		*slash = '\0';
	return slash != NULL;
}

static void *
open_plugin(const char *name)
{
	char program[PATH_MAX], path[PATH_MAX + 64];
	void *library = NULL;

	snprintf(path, sizeof(path), TSLICE_LIBEXECDIR "/tslice/mpi-%s.so",
		 name);
	if (!directory_of_program(program))
		return dlopen(path, RTLD_NOW | RTLD_LOCAL);
	for (size_t i = 0; i < sizeof(places) / sizeof(places[0]) && !library;
	     i++) {
		char near[PATH_MAX + 64];

		snprintf(near, sizeof(near), "%s%s/mpi-%s.so", program,
			 places[i], name);
		if (access(near, R_OK) == 0)
			library = dlopen(near, RTLD_NOW | RTLD_LOCAL);
	}
	return library ? library : dlopen(path, RTLD_NOW | RTLD_LOCAL);
}

/* NULL: there is none of that name, or it is another version's. */
static const struct npyio_team *
join(const char *name)
{
	void *library = open_plugin(name);
	void *found = library ? dlsym(library, NPYIO_TEAM_SYMBOL) : NULL;
	const struct npyio_team *team;
	npyio_team_join *begin;

	if (!found)
		return NULL;
	memcpy(&begin, &found, sizeof(begin));
	team = begin();
	return team && team->abi == NPYIO_TEAM_ABI ? team : NULL;
}

/* Each of several processes that know nothing of each other would write all. */
static enum tsl_status
check_size(const struct npyio_team **joined, const struct npyio_launcher *l,
	   struct tsl_error *err)
{
	const struct npyio_team *team = *joined;

	if (team->size == l->size)
		return TSL_OK;
	tsl_fail(err, TSL_EIO,
		 "the launcher has started %d processes (%s), but %s sees %d: "
		 "it is not its launcher",
		 l->size, l->variable, team->library, team->size);
	team->leave();
	*joined = NULL;
	return TSL_EIO;
}

enum tsl_status
npyio_team_load(const struct npyio_team **team, const struct npyio_launcher *l,
		const char *name, struct tsl_error *err)
{
	*team = name ? join(name) : NULL;
	for (int i = 0; !name && i < MAX_PLUGINS && l->plugins[i] && !*team;
	     i++)
		*team = join(l->plugins[i]);
	if (!*team)
		return tsl_fail(
			err, TSL_EIO,
			"there is no plugin for this launcher's MPI "
			"(mpi-%s.so); --mpi=never has each process make "
			"all of the result",
			name            ? name
			: l->plugins[0] ? l->plugins[0]
					: "NAME");
	return check_size(team, l, err);
}
