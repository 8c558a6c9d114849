/*
 * agreement.h - what processes must agree on who make one result together
 */
#ifndef CLI_AGREEMENT_H
#define CLI_AGREEMENT_H

#include "cli/option/options.h"
#include "inputs.h"
#include "lib/op/job.h"
#include "npyio/format/text.h"

/*
 * agreement() makes a text of all that the result depends on: the version, the
 * options, the job and the inputs.  Where two processes have the same text they
 * make parts of the same bytes.
 */
enum tsl_status TSL_MUST_USE agreement(struct npyio_text *plan,
				       const struct common_options *co,
				       const struct tsl_job *job,
				       const struct inputs *inputs,
				       struct tsl_error *err);

#endif /* CLI_AGREEMENT_H */
