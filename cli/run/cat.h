/*
 * cat.h - arrays put together, from the operands to the output
 */
#ifndef CLI_CAT_H
#define CLI_CAT_H

#include "cli/operand/name_list.h"
#include "cli/option/options.h"
#include "lib/op/cat.h"

struct cat {
	const struct common_options *co;
	struct tsl_cat_options options;
	bool all; /* an operand stands for all arrays in it */
	const char *append; /* the file that they are added to, or NULL */
	bool is_new; /* the output will be such a file */
	char *const *operands;
	int noperands;
	struct name_list *names; /* more of them, which messages may show */
};

/* cat_run() does it.  Returns TSL_OK, or the status of what failed. */
enum tsl_status TSL_MUST_USE cat_run(const struct cat *cat,
				     struct tsl_error *err);

#endif /* CLI_CAT_H */
