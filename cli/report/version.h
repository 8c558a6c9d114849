/*
 * version.h - the version, in one place; the Makefile reads it too
 */
#ifndef CLI_VERSION_H
#define CLI_VERSION_H

#define TSLICE_VERSION "0.1.0"

#endif /* CLI_VERSION_H */
