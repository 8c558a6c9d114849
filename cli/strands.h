/*
 * strands.h - the arrays that are put together, in the order of the operands
 *
 * Each is opened for its header.  Of several in one stream the next comes only
 * when all of the last was taken.
 */
#ifndef CLI_STRANDS_H
#define CLI_STRANDS_H

#include "inputs.h"
#include "lib/op/cat.h"

struct strands {
	const struct common_options *co;
	bool all; /* an operand stands for all arrays in it */
	char *const *operands;
	int noperands;
	struct inputs inputs; /* those open now */
	struct tsl_cat_part *part; /* the same, as parts */
	int next; /* operand to be opened */
	int number; /* of arrays opened so far */
	struct npyio_reader *open; /* there may be more behind it */
	struct npyio_reader *taken; /* the same, if no longer of the inputs */
	struct npyio_reader *on_stdin; /* the last of the inputs that is */
	struct npyio_reader *in_the_way; /* of them: a stream's, not taken */
	int64_t kept; /* bytes of memory */
};

void strands_init(struct strands *s, const struct common_options *co, bool all,
		  char *const *operands, int noperands);
void strands_close(struct strands *s, enum tsl_status status);

/*
 * strands_open() opens the next, as many as can be; '*more' says that there is
 * one that cannot be, for what is in its way.
 */
enum tsl_status TSL_MUST_USE strands_open(struct strands *s, bool *more,
					  struct tsl_error *err);

/* strands_keep() has what is in the way be kept elsewhere. */
enum tsl_status TSL_MUST_USE strands_keep(struct strands *s,
					  struct tsl_error *err);

/* strands_drop() is for when all that is open has been taken. */
enum tsl_status TSL_MUST_USE strands_drop(struct strands *s,
					  struct tsl_error *err);

#endif /* CLI_STRANDS_H */
