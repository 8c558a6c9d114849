/*
 * cleanup.h - what is left to do when a signal ends the process
 *
 * The one temporary file is removed when HUP, INT, TERM, QUIT, XFSZ or XCPU
 * ends the process, which then dies of the signal; signals that were ignored
 * at the start stay ignored.  A mapped input that is cut short by somebody
 * else raises SIGBUS: the file is removed, a line that was prepared is
 * written to standard error, and the process ends with status 4.
 */
#ifndef NPYIO_CLEANUP_H
#define NPYIO_CLEANUP_H

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
 * npyio_cleanup_guard() says that [base, base + n) is a mapped file, and what
 * to write should it turn out shorter; 'line' must outlive the process.
 */
void npyio_cleanup_guard(const void *base, size_t n, const char *line);

#endif /* NPYIO_CLEANUP_H */
