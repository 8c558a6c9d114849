/*
 * critical_section.c - who is at work on what a signal's handler puts right
 *
 * Each who is inside has put its mark in a place.  A count would not do: a
 * handler that interrupts its own thread in the middle of counting could not
 * know whether that is in the count.
 */
#include "critical_section.h"

#include <poll.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <unistd.h>

/* One for each thread there can be, and some. */
#define PLACES 512

static atomic_uintptr_t places[PLACES]; /* marks; 0: nobody's */
static atomic_bool is_shut;

static _Thread_local struct {
	int depth; /* how often it has come in */
	int place;
} mine;

/* No other thread has it. */
static uintptr_t
mark(void)
{
	return (uintptr_t)&mine;
}

static int
take_place(void)
{
	for (int i = 0;; i = (i + 1) % PLACES) {
		uintptr_t nobody = 0;

		if (atomic_load(&places[i]) == 0 &&
		    atomic_compare_exchange_strong(&places[i], &nobody, mark()))
			return i;
	}
}

void
npyio_critical_enter(void)
{
	if (mine.depth++ > 0)
		return;
	mine.place = take_place();
	/* Either this is seen, or the mark is by who shuts it. */
	if (!atomic_load(&is_shut))
		return;
	atomic_store(&places[mine.place], 0);
	for (;;)
		pause();
}

void
npyio_critical_leave(void)
{
	if (--mine.depth == 0)
		atomic_store(&places[mine.place], 0);
}

void
npyio_critical_shut(void)
{
	atomic_store(&is_shut, true);
	for (int i = 0; i < PLACES; i++)
		if (atomic_load(&places[i]) == mark())
			atomic_store(&places[i], 0);
	for (int i = 0; i < PLACES; i++)
		while (atomic_load(&places[i]) != 0)
			poll(NULL, 0, 1);
}
