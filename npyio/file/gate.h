/*
 * gate.h - who is at work on what a signal's handler puts right
 *
 * A signal may come to one thread while others change a file.  Whoever changes
 * what a handler undoes goes in before, and out after; the handler shuts the
 * gate, waits until everybody else is out, and then nobody comes in any more.
 * Nothing that a thread does inside may wait for another thread: it might be
 * the one that the handler has interrupted.
 */
#ifndef NPYIO_GATE_H
#define NPYIO_GATE_H

/*
 * npyio_gate_enter() and npyio_gate_leave() may be nested.  Once the gate is
 * shut enter never returns.
 */
void npyio_gate_enter(void);
void npyio_gate_leave(void);

/*
 * npyio_gate_shut() is for handlers that end the process: what they have
 * interrupted counts as out, for it is not gone on with.  May be called by
 * several threads at once.
 */
void npyio_gate_shut(void);

#endif /* NPYIO_GATE_H */
