/*
 * inputs.h - the arrays that a command reads
 */
#ifndef CLI_INPUTS_H
#define CLI_INPUTS_H

#include "cli/option/options.h"
#include "npyio/input/reader.h"

struct inputs {
	int n;
	bool drain; /* take all of an array from a stream, needed or not */
	struct npyio_reader **in;
};

/*
 * inputs_open() opens n inputs, in order; "-" given again is read again, in the
 * end perhaps as 'text', a path or NULL, that is no array.  They
 * are to be closed, on failure too, with the status that came of them: what
 * follows an array that was refused can then be read as if it had not been.
 */
enum tsl_status TSL_MUST_USE inputs_open(struct inputs *inputs,
					 const struct common_options *co,
					 const char *const *paths, int n,
					 const char *text,
					 struct tsl_error *err);
void inputs_close(struct inputs *inputs, enum tsl_status status);

/*
 * inputs_make_way() is for what opens input i by itself: those before it that
 * have the same name "-" are taken from standard input first.
 */
enum tsl_status TSL_MUST_USE inputs_make_way(const struct inputs *inputs,
					     const struct common_options *co,
					     const char *const *paths, int i,
					     struct tsl_error *err);

/*
 * inputs_open_one() opens one, which inputs_add() adds to others: it is theirs
 * then, on failure too.
 */
enum tsl_status TSL_MUST_USE
inputs_open_one(struct npyio_reader **in_new, const char *path,
		const struct npyio_reader_options *as, struct tsl_error *err);
enum tsl_status TSL_MUST_USE inputs_add(struct inputs *inputs,
					struct npyio_reader *in,
					struct tsl_error *err);

/*
 * inputs_select() makes the field that the options name, if they do, the array
 * of an input: of the first in any case.
 */
enum tsl_status TSL_MUST_USE inputs_select(struct npyio_reader *in,
					   const struct common_options *co,
					   struct tsl_error *err);

/*
 * inputs_blame() gives an error that names one of the inputs, by its number,
 * the input's name.
 */
void inputs_blame(const struct inputs *inputs, enum tsl_status status,
		  struct tsl_error *err);

/* inputs_are_same() says whether two are one regular file, by any names. */
bool inputs_are_same(const struct inputs *inputs, int i, int j);

/* inputs_array() is the array of input i. */
const struct tsl_array *inputs_array(const struct inputs *inputs, int i);

/*
 * inputs_finish() is for when all is made of them: files must still be as long
 * as they were, and standard input, if it is one, is left behind the array.
 * inputs_drain() takes what is left of streams, unless the options forbid it.
 */
enum tsl_status TSL_MUST_USE inputs_finish(const struct inputs *inputs,
					   struct tsl_error *err);
enum tsl_status TSL_MUST_USE inputs_drain(const struct inputs *inputs,
					  struct tsl_error *err);

#endif /* CLI_INPUTS_H */
