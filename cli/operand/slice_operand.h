/*
 * slice_operand.h - a slice as a command line gives it: as text, as vectors
 * and masks, or as a file of these
 */
#ifndef CLI_SLICE_OPERAND_H
#define CLI_SLICE_OPERAND_H

#include "cli/option/options.h"
#include "lib/spec/parse.h"
#include "lib/spec/resolve.h"
#include "vectors.h"

struct slice_operand {
	/* options; NULL: not given */
	const char *list[VECTORS_LISTS];
	const char *mask[VECTORS_MASKS];
	const char *file;
	const char *text; /* the operand; NULL: given as vectors */
	/* by slice_operand_compile() */
	struct tsl_spec spec; /* of text */
	struct tsl_encoding encoding;
};

#define SLICE_OPTIONS(s)                                                      \
	OPT_STRING(0, "begin", "LIST", &(s)->list[VECTORS_BEGIN],             \
		   "strided_slice's begin, such as 0,-3", OPT_RARE),          \
		OPT_STRING(0, "end", "LIST", &(s)->list[VECTORS_END],         \
			   "strided_slice's end", OPT_RARE),                  \
		OPT_STRING(0, "strides", "LIST", &(s)->list[VECTORS_STRIDES], \
			   "strided_slice's strides (default: all 1)",        \
			   OPT_RARE),                                         \
		OPT_STRING(0, "begin-mask", "N",                              \
			   &(s)->mask[VECTORS_BEGIN_MASK],                    \
			   "items whose begin is left out", OPT_RARE),        \
		OPT_STRING(0, "end-mask", "N", &(s)->mask[VECTORS_END_MASK],  \
			   "items whose end is left out", OPT_RARE),          \
		OPT_STRING(0, "ellipsis-mask", "N",                           \
			   &(s)->mask[VECTORS_ELLIPSIS_MASK],                 \
			   "the item that is '...'", OPT_RARE),               \
		OPT_STRING(0, "new-axis-mask", "N",                           \
			   &(s)->mask[VECTORS_NEW_AXIS_MASK],                 \
			   "items that add an axis of 1", OPT_RARE),          \
		OPT_STRING(0, "shrink-axis-mask", "N",                        \
			   &(s)->mask[VECTORS_SHRINK_AXIS_MASK],              \
			   "items that are an index: the axis goes",          \
			   OPT_RARE),                                         \
		OPT_STRING(0, "encoding", "FILE", &(s)->file,                 \
			   "the vectors and masks as JSON", OPT_RARE)

/*
 * slice_operand_check() finds out whether the options go together.  Returns 0,
 * or an exit status; so does slice_operand_check_stdin(), for one of the
 * inputs, which cannot be standard input, too, where the vectors are.
 */
int slice_operand_check(const struct slice_operand *s);
int slice_operand_check_stdin(const struct slice_operand *s, const char *path);

/* slice_operand_is_text() says that the slice stands among the operands. */
bool slice_operand_is_text(const struct slice_operand *s);

/*
 * slice_operand_too_many() is for operands that are more than are wanted, of
 * which 'surplus' is one: those of 'n' from the second on may be a slice.
 * 'why', if not NULL, is why no more are; 'table' has the command's options.
 * Returns the exit status.
 */
int slice_operand_too_many(const struct opt *table, char *const *operands,
			   int n, const char *surplus, const char *why);

/*
 * slice_operand_compile() makes the encoding.  Returns TSL_OK, or a status
 * that exits with 2; of a file also TSL_EIO, TSL_EMEMORY.
 */
enum tsl_status TSL_MUST_USE slice_operand_compile(struct slice_operand *s,
						   struct tsl_error *err);

/* slice_operand_resolve() is tsl_resolve() with the error's place in text. */
enum tsl_status TSL_MUST_USE
slice_operand_resolve(const struct slice_operand *s, struct tsl_selection *sel,
		      const struct tsl_shape *shape, struct tsl_error *err);

/*
 * slice_operand_select() does so with an array, by whose name 'name' it is an
 * error.
 */
enum tsl_status TSL_MUST_USE slice_operand_select(const struct slice_operand *s,
						  struct tsl_selection *sel,
						  const struct tsl_array *a,
						  const char *name,
						  struct tsl_error *err);

#endif /* CLI_SLICE_OPERAND_H */
