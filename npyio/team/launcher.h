/*
 * launcher.h - whether mpirun or srun has started this process, as one of many
 */
#ifndef NPYIO_LAUNCHER_H
#define NPYIO_LAUNCHER_H

#include <stdbool.h>

struct npyio_launcher {
	int rank, size; /* as it says; size 0: it does not */
	const char *variable; /* of the environment, that says the size */
	const char *plugins[3]; /* which may suit, the likelier ones first */
	bool is_parent; /* it has started this process, not one before it */
	bool has_mpi; /* it joins those that it starts */
};

/*
 * npyio_launcher_find() looks at the environment, and, only if that tells of a
 * launcher of several processes, who has started us.  Returns whether it does.
 */
bool npyio_launcher_find(struct npyio_launcher *l);

#endif /* NPYIO_LAUNCHER_H */
