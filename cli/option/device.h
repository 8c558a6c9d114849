/*
 * device.h - the devices there are, and the choice
 */
#ifndef CLI_DEVICE_H
#define CLI_DEVICE_H

#include "lib/op/backend.h"

/*
 * device_check() is for "auto", "cpu", "cuda" or "cuda:N".  Returns TSL_OK;
 * TSL_EUSAGE for another name; TSL_EDEVICE if this build has no such device.
 * Whether there is one is only known when it is opened.
 */
enum tsl_status TSL_MUST_USE device_check(const char *name,
					  struct tsl_error *err);
bool device_is_gpu(const char *name);

/*
 * device_open() gets the device of that name ready, one at a time.  Returns
 * TSL_OK; TSL_EDEVICE, TSL_EMEMORY.
 */
enum tsl_status TSL_MUST_USE device_open(const char *name,
					 struct tsl_error *err);
void device_close(void);

/*
 * device_backend() is that of the device that is open, NULL for the processor,
 * and device_description() a line for people.
 */
const struct tsl_backend *device_backend(void);
const char *device_description(void);

/* device_built_in() is one line on what is built in; it loads no driver. */
const char *device_built_in(void);

/* device_processors() is the number of processors we may use, at least 1. */
int device_processors(void);

#endif /* CLI_DEVICE_H */
