/*
 * launcher.c - whether mpirun or srun has started this process, as one of many
 *
 * The environment tells of a launcher; but it is handed down.  MPI can begin
 * only once in each of the launcher's processes: where that is a script of two
 * commands, or a program that uses MPI and calls us, we are not to try.  So who
 * started us must be the launcher itself.
 */
#include "launcher.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct way {
	const char *size, *rank; /* variables */
	const char *also; /* that has to be there; or NULL */
	const char *plugins[3];
	bool has_mpi;
};

/*
 * Open MPI's launcher sets other ones' variables, too.  SLURM_NTASKS is no
 * sign: a batch script has it, outside of srun.
 */
static const struct way ways[] = {
	{ "OMPI_COMM_WORLD_SIZE",
	  "OMPI_COMM_WORLD_RANK",
	  NULL,
	  { "openmpi", "mpicc" },
	  true },
	{ "PMI_SIZE", "PMI_RANK", NULL, { "mpich", "mpicc" }, true },
	{ "SLURM_STEP_NUM_TASKS",
	  "PMIX_RANK",
	  "PMIX_NAMESPACE",
	  { "openmpi", "mpich", "mpicc" },
	  true },
	{ "SLURM_STEP_NUM_TASKS", "SLURM_PROCID", NULL, { NULL }, false },
};

/* What starts processes; a name that ends in a dash may go on. */
static const char *const parents[] = {
	"hydra_pmi_proxy", "orterun", "orted",    "prterun", "prted", "prun",
	"slurmstepd",      "mpirun-", "mpiexec-",
};

static int
number(const char *variable)
{
	const char *s = getenv(variable);
	char *end;
	long n;

	if (!s || *s < '0' || *s > '9')
		return -1;
	n = strtol(s, &end, 10);
	return *end || n > INT_MAX ? -1 : (int)n;
}

static bool
is_launcher(const char *name)
{
	for (size_t i = 0; i < sizeof(parents) / sizeof(parents[0]); i++) {
		size_t n = strlen(parents[i]);

		if (parents[i][n - 1] == '-'
			    ? strncmp(name, parents[i], n - 1) == 0
			    : strcmp(name, parents[i]) == 0)
			return true;
	}
	return false;
}

static bool
is_parent_launcher(void)
{
	char path[40], name[32] = "";
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%ld/comm", (long)getppid());
	f = fopen(path, "r");
	if (!f)
		return false;
	if (!fgets(name, sizeof(name), f))
		name[0] = '\0';
	fclose(f);
	name[strcspn(name, "\n")] = '\0';
	return is_launcher(name);
}

bool
npyio_launcher_find(struct npyio_launcher *l)
{
	for (size_t i = 0; i < sizeof(ways) / sizeof(ways[0]); i++) {
		const struct way *w = &ways[i];
		int size = number(w->size);
		int rank = number(w->rank);

		if (size < 1 || rank < 0 || (w->also && !getenv(w->also)))
			continue;
		*l = (struct npyio_launcher){ .rank = rank,
					      .size = size,
					      .variable = w->size,
					      .has_mpi = w->has_mpi };
		memcpy(l->plugins, w->plugins, sizeof(l->plugins));
		/* One process is nobody's team. */
		if (size == 1)
			return false;
		l->is_parent = is_parent_launcher();
		return true;
	}
	*l = (struct npyio_launcher){ .size = 0 };
	return false;
}
