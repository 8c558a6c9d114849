/*
 * verbose.h - what is done and how, on standard error, for who asks with -v
 */
#ifndef CLI_VERBOSE_H
#define CLI_VERBOSE_H

#include "cli/option/options.h"
#include "inputs.h"
#include "npyio/transfer/common/request.h"

/* verbose_plan() is about what is going to be done. */
void verbose_plan(const struct common_options *co,
		  const struct npyio_transfer *t);

/* verbose_share() is about what this process writes of it, where several do. */
void verbose_share(const struct common_options *co, int64_t ranges,
		   int64_t nbytes);

/* verbose_in_place() is about the 'nbytes' that are going to be written there.
 */
void verbose_in_place(const struct common_options *co,
		      const struct npyio_transfer *t, int64_t nbytes);

/* verbose_text() is about a text that has been gone through, perhaps twice. */
void verbose_text(const struct common_options *co, int64_t rows,
		  int64_t columns, int threads, bool twice);

/* verbose_shared() is about the bytes that were not copied, and why all were.
 */
void verbose_shared(const struct common_options *co,
		    const struct npyio_transfer *t, int64_t shared);

/*
 * note_form() is for what is shown because there is a terminal: who said --json
 * may have meant another form.
 */
void note_form(const struct common_options *co);

/* verbose_spools() names the inputs that were stored on the way, or came from
 * far away. */
void verbose_spools(const struct common_options *co,
		    const struct inputs *inputs);

#endif /* CLI_VERBOSE_H */
