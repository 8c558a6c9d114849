/*
 * critical_section.h - who is at work on what a signal's handler puts right
 *
 * A signal may come to one thread while others change a file.  Whoever changes
 * what a handler undoes goes in before, and out after; the handler shuts it,
 * waits until everybody else is out, and then nobody comes in any more.
 * Nothing that a thread does inside may wait for another thread: it might be
 * the one that the handler has interrupted.
 */
#ifndef NPYIO_CRITICAL_SECTION_H
#define NPYIO_CRITICAL_SECTION_H

/*
 * npyio_critical_enter() and npyio_critical_leave() may be nested.  Once it is
 * shut enter never returns.
 */
void npyio_critical_enter(void);
void npyio_critical_leave(void);

/*
 * npyio_critical_shut() is for handlers that end the process: what they have
 * interrupted counts as out, for it is not gone on with.  May be called by
 * several threads at once.
 */
void npyio_critical_shut(void);

#endif /* NPYIO_CRITICAL_SECTION_H */
