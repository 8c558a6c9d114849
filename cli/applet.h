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

extern const struct applet tslice_applet, tassign_applet, tgather_applet,
	tscatter_applet, tgetdiag_applet, tsetdiag_applet, tcat_applet,
	tparse_applet, tshape_applet;

#define TSLICE_VERSION "0.1.0"

#endif /* CLI_APPLET_H */
