/*
 * applet.h - a command: one name, one file, one of these
 */
#ifndef CLI_APPLET_H
#define CLI_APPLET_H

struct applet {
	const char *name;
	/* returns the exit status; argv[0] is the name it was called by */
	int (*main)(int argc, char **argv);
};

/* The commands: the Makefile, which makes a link for each, reads this too. */
#define APPLETS(X)  \
	X(tslice)   \
	X(tassign)  \
	X(tgather)  \
	X(tscatter) \
	X(tgetdiag) \
	X(tsetdiag) \
	X(tcat)     \
	X(tcmp)     \
	X(tparse)   \
	X(tshape)

#define APPLET_DECLARE(name) extern const struct applet name##_applet;
APPLETS(APPLET_DECLARE)
#undef APPLET_DECLARE

#endif /* CLI_APPLET_H */
