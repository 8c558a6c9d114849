/*
 * mpi.c - the processes of a launcher, by way of the MPI that this is compiled
 * for
 *
 * Nothing but old and plain functions, which every MPI has: what is agreed on
 * is words.
 */
#include "npyio/team/team.h"

#include <mpi.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

/* Naps between two looks, in nanoseconds. */
#define MIN_NAP 50000
#define MAX_NAP 2000000

__attribute__((visibility("default"))) npyio_team_join tslice_team_join;

static MPI_Comm comm;

/*
 * A call that waits would spin, on a processor that our own threads or another
 * process could use; and what is waited for here may take long.
 */
static void
await(MPI_Request *request)
{
	struct timespec nap = { 0, MIN_NAP };
	int done = 0;

	for (;;) {
		MPI_Test(request, &done, MPI_STATUS_IGNORE);
		if (done)
			return;
		nanosleep(&nap, NULL);
		if (nap.tv_nsec < MAX_NAP)
			nap.tv_nsec *= 2;
	}
}

static void
share(void *bytes, size_t n, int root)
{
	MPI_Request request;

	MPI_Ibcast(bytes, (int)n, MPI_BYTE, root, comm, &request);
	await(&request);
}

static int
agree(int status, int *who)
{
	struct {
		int status, rank;
	} ours = { status, 0 }, worst;
	MPI_Request request;

	MPI_Comm_rank(comm, &ours.rank);
	/* Of equals it is the lowest rank. */
	MPI_Iallreduce(&ours, &worst, 1, MPI_2INT, MPI_MAXLOC, comm, &request);
	await(&request);
	*who = worst.rank;
	return worst.status;
}

static void
leave(void)
{
	MPI_Comm_free(&comm);
	MPI_Finalize();
}

static struct npyio_team team = {
	.abi = NPYIO_TEAM_ABI,
	.share = share,
	.agree = agree,
	.leave = leave,
};

/* How many share this host, and how many hosts there are. */
static void
count_hosts(void)
{
	MPI_Comm host;
	int rank, first;

	MPI_Comm_split_type(comm, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL,
			    &host);
	MPI_Comm_size(host, &team.local);
	MPI_Comm_rank(host, &rank);
	MPI_Comm_free(&host);
	first = rank == 0;
	MPI_Allreduce(&first, &team.hosts, 1, MPI_INT, MPI_SUM, comm);
}

const struct npyio_team *
tslice_team_join(void)
{
	char text[MPI_MAX_LIBRARY_VERSION_STRING];
	int provided, n;

	if (MPI_Init_thread(NULL, NULL, MPI_THREAD_FUNNELED, &provided) !=
	    MPI_SUCCESS)
		return NULL;
	MPI_Comm_dup(MPI_COMM_WORLD, &comm);
	MPI_Comm_rank(comm, &team.rank);
	MPI_Comm_size(comm, &team.size);
	count_hosts();
	MPI_Get_library_version(text, &n);
	for (char *p = text; *p; p++)
		*p = *p == '\t' ? ' ' : *p;
	snprintf(team.library, sizeof(team.library), "%.*s",
		 (int)strcspn(text, "\n,("), text);
	return &team;
}
