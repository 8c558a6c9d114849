/*
 * device.h - the devices there are, and the choice
 */
#ifndef CLI_DEVICE_H
#define CLI_DEVICE_H

#include "lib/status.h"

/*
 * device_choose() finds the device named "auto", "cpu", "cuda" or "cuda:N".
 * Returns TSL_OK; TSL_EUSAGE for another name; TSL_EDEVICE if it is not there.
 */
enum tsl_status TSL_MUST_USE device_choose(const char *name,
					   struct tsl_error *err);

/* device_built_in() is one line on what is built in; it loads no driver. */
const char *device_built_in(void);

/* device_processors() is the number of processors we may use, at least 1. */
int device_processors(void);

#endif /* CLI_DEVICE_H */
