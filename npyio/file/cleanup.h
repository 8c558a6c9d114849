/*
 * cleanup.h - what is left to do when a signal ends the process
 *
 * Temporary files that have a name are removed, and what was added to a file
 * cut off, when a signal that can be caught ends the process, which then
 * dies of the signal; signals that were ignored at the start stay ignored.  A
 * page of a mapped input that is not to be had, because somebody cut the file
 * short or the disk failed, raises SIGBUS: the file is removed, a line that was
 * prepared is written to standard error, and the process ends with status 4.
 */
#ifndef NPYIO_CLEANUP_H
#define NPYIO_CLEANUP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Between npyio_cleanup_begin() and npyio_cleanup_end() no signal is delivered
 * to this thread, and nothing is undone by another: a temporary file is made,
 * or renamed, and arm or disarm called, as one step, which is inside a critical
 * section; see critical_section.h.
 */
void npyio_cleanup_begin(void);
void npyio_cleanup_end(void);

/*
 * npyio_cleanup_arm() names a file to remove, in the directory 'dir'; both must
 * outlive disarm, which takes the same pointer.  To be called between begin and
 * end.  Of more than 64 at a time the others are not removed.
 *
 * npyio_cleanup_catch() is for who has several threads at work: from then on
 * no signal ends the process while one of them is inside a critical section,
 * whichever thread gets it.
 */
void npyio_cleanup_arm(int dir, const char *name);
void npyio_cleanup_disarm(const char *name);
void npyio_cleanup_catch(void);

/*
 * npyio_cleanup_arm_cut() has the file 'fd' be cut to 'size' bytes, by a signal
 * too; npyio_cleanup_cut() does it now, if anything is armed.  To be called
 * between begin and end, as npyio_cleanup_disarm_cut().  Whoever writes to the
 * file meanwhile does so inside a critical section.
 */
void npyio_cleanup_arm_cut(int fd, int64_t size);
void npyio_cleanup_disarm_cut(void);
void npyio_cleanup_cut(void);

/* What became of a mapped page. */
enum npyio_fault {
	NPYIO_FAULT_SHRUNK, /* the file has become shorter */
	NPYIO_FAULT_READ, /* it cannot be read */
	NPYIO_FAULT_WRITE, /* a hole of it cannot be filled */
};

/*
 * npyio_cleanup_describe() sets what makes the line for the file 'name': a
 * string that is freed when the file is no longer guarded, or NULL.
 */
typedef char *npyio_cleanup_line(const char *name, enum npyio_fault fault);
void npyio_cleanup_describe(npyio_cleanup_line *line_new);

/*
 * npyio_cleanup_guard_new() makes a guard for mappings of the file 'name',
 * open as 'fd', that are read, or written to; 0 where there are already as many
 * as can be.
 * npyio_cleanup_guard() says that [base, base + n) is its mapping now, of a
 * file of at least 'size' bytes; NULL: none.  A guard is used by one thread at
 * a time.
 */
int npyio_cleanup_guard_new(const char *name, int fd, bool writes);
void npyio_cleanup_guard(int guard, const void *base, size_t n, int64_t size);
void npyio_cleanup_guard_free(int guard); /* 0 is allowed */

#endif /* NPYIO_CLEANUP_H */
