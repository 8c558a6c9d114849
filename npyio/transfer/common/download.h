/*
 * download.h - what a job needs of inputs that are far away, brought here first
 *
 * Then they are files like others.  But of what is long, and used in the order
 * in which it lies there, no more is here than is being worked on.
 */
#ifndef NPYIO_DOWNLOAD_H
#define NPYIO_DOWNLOAD_H

#include "request.h"

/*
 * npyio_download() brings the inputs of a transfer, apart from the places of a
 * job of runs.  Returns TSL_OK; what npyio_reader_download() does.
 */
enum tsl_status TSL_MUST_USE npyio_download(const struct npyio_transfer *t,
					    struct tsl_error *err);

#endif /* NPYIO_DOWNLOAD_H */
