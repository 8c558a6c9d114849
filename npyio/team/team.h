/*
 * team.h - the processes of a launcher, which make one output together
 *
 * All that is wanted of an MPI: who am I, give bytes to all, agree.  Data go to
 * the file system, not through here.  The functions are a plugin's, see
 * plugin/mpi.c, which is compiled for each MPI and loaded when a launcher has
 * started us: the program itself is linked with none.
 */
#ifndef NPYIO_TEAM_H
#define NPYIO_TEAM_H

#include <stddef.h>

struct npyio_team {
	int abi; /* NPYIO_TEAM_ABI, or it is another version's */
	int rank, size;
	int local, hosts; /* processes on this host; hosts of all */
	char library[80]; /* for people */
	/* Gives root's bytes to all. */
	void (*share)(void *bytes, size_t n, int root);
	/* The highest status of all; '*who' is the lowest rank that has it. */
	int (*agree)(int status, int *who);
	void (*leave)(void);
};

#define NPYIO_TEAM_ABI 1

/* A plugin has one function: it joins the others, or returns NULL. */
#define NPYIO_TEAM_SYMBOL "tslice_team_join"
typedef const struct npyio_team *npyio_team_join(void);

#endif /* NPYIO_TEAM_H */
