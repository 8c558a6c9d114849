/*
 * plan.h - what several processes must agree on who make one output
 *
 * A text of lines "what: value", for people too.  Of a path only the file's own
 * name is in it: hosts may know a directory by different ones.
 */
#ifndef NPYIO_PLAN_H
#define NPYIO_PLAN_H

#include "lib/op/job.h"
#include "npyio/format/text.h"
#include "npyio/input/reader.h"

/*
 * npyio_plan() appends what is made of what: the output, the job, and of each
 * input its size, last change, inode and name, or what was kept of it.  Returns
 * TSL_OK; TSL_EMEMORY; TSL_EIO; what reading returns.
 */
enum tsl_status TSL_MUST_USE npyio_plan(struct npyio_text *plan,
					const struct tsl_job *job,
					struct npyio_reader *const in[],
					int ninputs, struct tsl_error *err);

/*
 * npyio_plan_compare() says whether two plans are one; if not, it puts what the
 * first line says that differs into 'what'.
 */
bool npyio_plan_compare(const char *ours, const char *theirs, char *what,
			size_t nbytes);

#endif /* NPYIO_PLAN_H */
