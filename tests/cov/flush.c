/*
 * flush.c - keeps coverage's counts where a signal or _exit() ends the process
 *
 * Linked into the coverage build alone, with --wrap, so that the code itself
 * knows nothing of it.  What is called here is not safe in a signal handler;
 * that is the price, and the reason why it is in no other build.
 */
#include <signal.h>
#include <unistd.h>

void __gcov_dump(void);
int __real_raise(int sig);
int __wrap_raise(int sig);
_Noreturn void __real__exit(int status);
_Noreturn void __wrap__exit(int status);

int
__wrap_raise(int sig)
{
	__gcov_dump();
	return __real_raise(sig);
}

void
__wrap__exit(int status)
{
	__gcov_dump();
	__real__exit(status);
}
