/*
 * lock.h - a file that one process has for itself, as flock(2) has it
 */
#ifndef NPYIO_LOCK_H
#define NPYIO_LOCK_H

/*
 * npyio_lock() locks the file 'fd'; npyio_lock_await() waits for that, a second
 * at most, as who has it may sleep.  Return 0, or an errno: EWOULDBLOCK if
 * somebody else has it; any other where there are no such locks.
 */
int npyio_lock(int fd);
int npyio_lock_await(int fd);

#endif /* NPYIO_LOCK_H */
