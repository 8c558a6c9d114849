/*
 * main.c - one binary, a command for each name it is called by
 */
#include "applet.h"
#include "cli/report/message.h"
#include "npyio/file/cleanup.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const struct applet *const applets[] = {
	&tslice_applet,   &tassign_applet,  &tgather_applet,
	&tscatter_applet, &tgetdiag_applet, &tsetdiag_applet,
	&tcat_applet,     &tparse_applet,   &tshape_applet,
};

/*
 * If a standard descriptor is closed, the next file opened would take its
 * place: an output file could become standard error.  Each is opened in the
 * direction that it is not for, so that using it still fails.
 */
static void
fill_standard_descriptors(void)
{
	for (int fd = 0; fd <= STDERR_FILENO; fd++) {
		if (fcntl(fd, F_GETFD) != -1 || errno != EBADF)
			continue;
		if (open("/dev/null",
			 fd == STDIN_FILENO ? O_WRONLY : O_RDONLY) != fd)
			_exit(4);
	}
}

static const struct applet *
find_applet(const char *name)
{
	for (size_t i = 0; i < sizeof(applets) / sizeof(applets[0]); i++)
		if (strcmp(applets[i]->name, name) == 0)
			return applets[i];
	return &tslice_applet;
}

/* What was printed may still fail to arrive: a full disk shows only now. */
static int
flush_stdout(int status)
{
	struct tsl_error err;

	errno = 0;
	if (fflush(stdout) == 0 && !ferror(stdout))
		return status;
	tsl_fail(&err, TSL_EIO, "cannot write");
	err.subject = "standard output";
	err.sys = errno;
	return message_error(&err, NULL);
}

int
main(int argc, char **argv)
{
	static char no_name[] = "tslice";
	static char *no_args[] = { no_name, NULL };
	const char *slash;
	const struct applet *applet;

	fill_standard_descriptors();
	npyio_cleanup_describe(message_fault_new);
	if (argc == 0) {
		argc = 1;
		argv = no_args;
	}
	slash = strrchr(argv[0], '/');
	applet = find_applet(slash ? slash + 1 : argv[0]);
	/* Messages name the command, whatever the file is called. */
	argv[0] = (char *)(uintptr_t)applet->name;
	return flush_stdout(applet->main(argc, argv));
}
