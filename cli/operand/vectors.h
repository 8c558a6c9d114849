/*
 * vectors.h - begin, end, strides and masks as a user gives them
 */
#ifndef CLI_VECTORS_H
#define CLI_VECTORS_H

#include "lib/spec/encode.h"

#include <stddef.h>

enum vectors_list { VECTORS_BEGIN, VECTORS_END, VECTORS_STRIDES };
enum vectors_mask {
	VECTORS_BEGIN_MASK,
	VECTORS_END_MASK,
	VECTORS_ELLIPSIS_MASK,
	VECTORS_NEW_AXIS_MASK,
	VECTORS_SHRINK_AXIS_MASK,
};
#define VECTORS_LISTS 3
#define VECTORS_MASKS 5

/* As they are called in an encoding, options with '-' for '_'. */
extern const char *const vectors_list_names[VECTORS_LISTS];
extern const char *const vectors_mask_names[VECTORS_MASKS];

/* Lists of any length: how long they may be is for the compiler to say. */
struct vectors {
	int64_t *list[VECTORS_LISTS]; /* owned; see vectors_free() */
	int64_t length[VECTORS_LISTS]; /* -1: not given */
	uint32_t mask[VECTORS_MASKS];
};

void vectors_init(struct vectors *v);
void vectors_free(struct vectors *v);

/*
 * vectors_set_list() reads decimal integers with commas between them, see
 * below; the empty text is the empty list.
 *
 * Returns TSL_OK; TSL_ESYNTAX; TSL_EOVERFLOW; TSL_EMEMORY.
 */
enum tsl_status TSL_MUST_USE vectors_set_list(struct vectors *v,
					      enum vectors_list which,
					      const char *text,
					      struct tsl_error *err);

/*
 * A list as it is read: integers with commas between them, in brackets or
 * parentheses or not.  As Python prints a tuple of one, a comma may stand in
 * front of a closing parenthesis.
 */
struct vectors_text {
	const char *name; /* of the list, in errors */
	const char *at;
	bool begun;
	char close; /* what ends it; 0: the end of the text */
};

/*
 * vectors_next() reads the next integer, or stores in '*more' that there is
 * none.  'text' begins with name and at.
 *
 * Returns TSL_OK; TSL_ESYNTAX; TSL_EOVERFLOW.
 */
enum tsl_status TSL_MUST_USE vectors_next(struct vectors_text *text,
					  int64_t *value, bool *more,
					  struct tsl_error *err);

/*
 * vectors_set_mask() reads a mask: decimal or 0x, negative as an int32.
 *
 * Returns TSL_OK; TSL_ESYNTAX.
 */
enum tsl_status TSL_MUST_USE vectors_set_mask(struct vectors *v,
					      enum vectors_mask which,
					      const char *text,
					      struct tsl_error *err);

/* vectors_encode() is tsl_encode_vectors() for them. */
enum tsl_status TSL_MUST_USE vectors_encode(struct tsl_encoding *e,
					    const struct vectors *v,
					    struct tsl_error *err);

/* vectors_of() is the list, and vectors_mask_of() the mask, of an encoding. */
const int64_t *vectors_of(const struct tsl_encoding *e,
			  enum vectors_list which);
uint32_t vectors_mask_of(const struct tsl_encoding *e, enum vectors_mask which);

#endif /* CLI_VECTORS_H */
