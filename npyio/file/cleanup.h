/*
 * cleanup.h - what is left to do when a signal ends the process
 *
 * The one temporary file is removed when a signal that can be caught ends the
 * process, which then dies of the signal; signals that were ignored at the
 * start stay ignored.  A mapped input that is cut short by somebody
 * else raises SIGBUS: the file is removed, a line that was prepared is
 * written to standard error, and the process ends with status 4.
 */
#ifndef NPYIO_CLEANUP_H
#define NPYIO_CLEANUP_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Between npyio_cleanup_begin() and npyio_cleanup_end() no signal is
 * delivered: a temporary file is made, or renamed, and arm or disarm called,
 * as one step.
 */
void npyio_cleanup_begin(void);
void npyio_cleanup_end(void);

/* npyio_cleanup_arm() names the file to remove; it must outlive disarm. */
void npyio_cleanup_arm(const char *path);
void npyio_cleanup_disarm(void);

/*
 * npyio_cleanup_describe() sets what makes the line for the file 'name': a
 * string that is freed when the file is no longer guarded, or NULL.
 */
void npyio_cleanup_describe(char *(*line_new)(const char *name));

/*
 * npyio_cleanup_guard_new() makes a guard for a mapping of the file 'name';
 * 0 where there are already as many as can be.  npyio_cleanup_guard() says
 * that [base, base + n) is that mapping now; NULL: none.  A guard is used by
 * one thread at a time.
 */
int npyio_cleanup_guard_new(const char *name);
void npyio_cleanup_guard(int guard, const void *base, size_t n);
void npyio_cleanup_guard_free(int guard); /* 0 is allowed */

#endif /* NPYIO_CLEANUP_H */
