/*
 * window.c - a part of a file, mapped for as long as it is looked at
 */
#define _GNU_SOURCE /* madvise, RUSAGE_THREAD */
#include "window.h"

#include "cleanup.h"
#include "fd.h"
#include "lib/base/minmax.h"
#include "workers.h"

#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

/*
 * Where the page cache holds a file in huge pages the kernel maps each with
 * one entry, given that file and memory agree in their last 21 bits.
 */
#define ALIGNMENT ((int64_t)2 * 1024 * 1024)

/* What one thread unmaps at once, where several do. */
#define PIECE ((int64_t)64 * 1024 * 1024)

/* Places of a file that are looked at to know whether it is in memory. */
#define SAMPLE 64

void
npyio_window_init(struct npyio_window *w, const char *name)
{
	*w = (struct npyio_window){ .name = name };
}

void
npyio_window_init_writes(struct npyio_window *w, const char *name)
{
	*w = (struct npyio_window){ .name = name, .writes = true };
}

static void
unmap(struct npyio_window *w)
{
	if (!w->base)
		return;
	npyio_cleanup_guard(w->guard, NULL, 0, 0);
	munmap(w->base, (size_t)(w->hi - w->lo));
	w->base = NULL;
}

void
npyio_window_close(struct npyio_window *w)
{
	unmap(w);
	npyio_cleanup_guard_free(w->guard);
	w->guard = 0;
	w->name = NULL;
}

/* What was written there is in the page cache, and stays: it is shared. */
static enum tsl_status
drop_piece(void *work, int worker, int64_t i, struct tsl_error *err)
{
	const struct npyio_window *w = work;
	int64_t lo = w->lo + i * PIECE;

	(void)worker, (void)err;
	(void)madvise(w->base + (lo - w->lo),
		      (size_t)tsl_min(PIECE, w->hi - lo), MADV_DONTNEED);
	return TSL_OK;
}

static void
release_nothing(void *work, int worker)
{
	(void)work, (void)worker;
}

void
npyio_window_close_by(struct npyio_window *w, int workers)
{
	int64_t n = (npyio_window_nbytes(w) + PIECE - 1) / PIECE;

	if (workers > 1 && n > 1)
		(void)!npyio_run_tasks(drop_piece, release_nothing, w, n,
				       workers, NULL);
	npyio_window_close(w);
}

char *
npyio_window_look(struct npyio_window *w, int fd, int64_t lo, int64_t hi)
{
	void *base;

	if (w->base && lo >= w->lo && hi <= w->hi)
		return w->base + (lo - w->lo);
	/* Most slices are read, and never come here. */
	if (w->guard == 0 && w->name)
		w->guard = npyio_cleanup_guard_new(w->name, fd, w->writes);
	if (w->guard == 0)
		return NULL;
	unmap(w);
	w->lo = lo / ALIGNMENT * ALIGNMENT;
	w->hi = hi;
	base = mmap(NULL, (size_t)(w->hi - w->lo),
		    w->writes ? PROT_READ | PROT_WRITE : PROT_READ, MAP_SHARED,
		    fd, w->lo);
	if (base == MAP_FAILED)
		return NULL;
	w->base = base;
	npyio_cleanup_guard(w->guard, base, (size_t)(w->hi - w->lo), w->hi);
	return w->base + (lo - w->lo);
}

/* What the system counts of this thread; zeros where it does not. */
static struct rusage
usage_of_thread(void)
{
	struct rusage usage = { .ru_minflt = 0 };

#ifdef RUSAGE_THREAD
	(void)!getrusage(RUSAGE_THREAD, &usage);
#endif
	return usage;
}

static void
touch(const struct npyio_window *w, int64_t at)
{
	(void)*(volatile char *)(w->base + at);
}

/*
 * Not every file system can say what it has at hand; that a page had to come
 * from elsewhere shows when it is touched.
 */
bool
npyio_window_is_at_hand(const struct npyio_window *w, int fd)
{
	int64_t apart = (w->hi - w->lo - 1) / SAMPLE + 1;
	int64_t slow = usage_of_thread().ru_majflt;
	uint64_t any = 1;

	for (int64_t at = w->lo; at < w->hi; at += apart) {
		int64_t left = tsl_min(apart, w->hi - at);
		int64_t place;

		/* Not at the same distances: files have a structure. */
		any = any * 6364136223846793005 + 1442695040888963407;
		place = at + (int64_t)(any >> 33) % left;
		if (!npyio_fd_is_at_hand(fd, place))
			return false;
		touch(w, place - w->lo);
		if (usage_of_thread().ru_majflt > slow)
			return false;
	}
	return true;
}

/* A fault gives all of a huge page; of small ones, a few. */
bool
npyio_window_is_large(const struct npyio_window *w)
{
	int64_t n = tsl_min((w->hi - w->lo) / ALIGNMENT, SAMPLE);
	int64_t apart = (w->hi - w->lo) / ALIGNMENT / tsl_max(n, 1) * ALIGNMENT;
	int64_t large = 0;

	for (int64_t i = 0; i < n; i++) {
		int64_t faults;

		touch(w, i * apart);
		faults = npyio_window_faults();
		touch(w, i * apart + ALIGNMENT / 2);
		large += npyio_window_faults() == faults;
	}
	return large > n / 2;
}

int64_t
npyio_window_nbytes(const struct npyio_window *w)
{
	return w->base ? w->hi - w->lo : 0;
}

/* Only a wish: what cannot be had shows when it is written to. */
void
npyio_window_expect(const struct npyio_window *w, int64_t lo, int64_t hi)
{
#ifdef MADV_POPULATE_WRITE
	int64_t page = sysconf(_SC_PAGESIZE);
	int64_t from = lo / page * page - w->lo;

	(void)madvise(w->base + from, (size_t)(hi - w->lo - from),
		      MADV_POPULATE_WRITE);
#else
	(void)w, (void)lo, (void)hi;
#endif
}

int64_t
npyio_window_faults(void)
{
	return usage_of_thread().ru_minflt;
}
