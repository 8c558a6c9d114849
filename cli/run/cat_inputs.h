/*
 * cat_inputs.h - the arrays that are put together, in the order of the operands
 *
 * Each is opened for its header.  Of several in one stream the next comes only
 * when all of the last was taken.  With 'all' an archive is its members.
 */
#ifndef CLI_CAT_INPUTS_H
#define CLI_CAT_INPUTS_H

#include "cli/operand/name_list.h"
#include "inputs.h"
#include "lib/op/cat.h"

struct cat_inputs {
	const struct common_options *co;
	bool all; /* an operand stands for all arrays in it */
	char *const *operands;
	int noperands;
	struct inputs inputs; /* those open now */
	struct tsl_cat_part *part; /* the same, as parts */
	int next; /* operand to be opened */
	struct npyio_archive *archive; /* that the last ones are members of */
	int64_t member; /* of it, the next, where the operand is all of them */
	int64_t nmembers;
	struct name_list *names; /* of those, which outlive this */
	int number; /* of arrays opened so far */
	struct npyio_reader *open; /* there may be more behind it */
	struct npyio_reader *taken; /* the same, if no longer of the inputs */
	struct npyio_reader *on_stdin; /* the last of the inputs that is */
	struct npyio_reader *in_the_way; /* of them: a stream's, not taken */
	int64_t kept; /* bytes of memory */
};

void cat_inputs_init(struct cat_inputs *s, const struct common_options *co,
		     bool all, char *const *operands, int noperands,
		     struct name_list *names);
void cat_inputs_close(struct cat_inputs *s, enum tsl_status status);

/*
 * cat_inputs_open() opens the next, as many as can be; '*more' says that there
 * is one that cannot be, for what is in its way.
 */
enum tsl_status TSL_MUST_USE cat_inputs_open(struct cat_inputs *s, bool *more,
					     struct tsl_error *err);

/* cat_inputs_keep() has what is in the way be kept elsewhere. */
enum tsl_status TSL_MUST_USE cat_inputs_keep(struct cat_inputs *s,
					     struct tsl_error *err);

/* cat_inputs_drop() is for when all that is open has been taken. */
enum tsl_status TSL_MUST_USE cat_inputs_drop(struct cat_inputs *s,
					     struct tsl_error *err);

#endif /* CLI_CAT_INPUTS_H */
