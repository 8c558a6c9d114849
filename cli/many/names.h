/*
 * names.h - the inputs of a command that takes many, one after the other
 *
 * They are operands, or names in a file, which is read as they are needed; an
 * archive stands for its members.
 */
#ifndef CLI_NAMES_H
#define CLI_NAMES_H

#include "npyio/format/text.h"
#include "npyio/input/archive.h"

struct names; /* owns the list, and the archive it is in */

/* What is wanted of them. */
struct names_options {
	char *const *operand;
	int noperands;
	const char *list; /* a file of names; "-": standard input; or NULL */
	bool in_place; /* no result has a name, and no archive is opened */
	bool parents; /* results are called by all of the name */
	bool raw; /* they have no header */
	bool members; /* and are members of an archive */
};

struct names_archive {
	struct npyio_archive *archive;
	int users;
};

/* An input. */
struct item {
	int64_t number; /* from 0 */
	struct npyio_text path; /* to open it by */
	struct npyio_text shown; /* the same, as messages call it */
	struct npyio_text name; /* of the result */
	uint64_t key; /* of that, or in place of the file */
	uint64_t share; /* the same for all processes that share the inputs */
	struct names_archive *archive; /* and member: not NULL */
	int64_t member;
	enum tsl_status status; /* what is wrong with it, already */
	struct tsl_error err;
};

/*
 * names_open() begins.  Returns TSL_OK; TSL_EIO for the list; TSL_EMEMORY.
 *
 * names_next() makes 'item', which was zero or another, the next, if there is
 * one, and what is wrong with that alone its own status.  Returns what
 * names_open() does, also for a list that cannot be read to its end.
 *
 * names_release() is for who is done with an item.  None of them is for several
 * threads at once.
 */
enum tsl_status TSL_MUST_USE names_open(struct names **names_new,
					const struct names_options *options,
					struct tsl_error *err);
enum tsl_status TSL_MUST_USE names_next(struct names *s, struct item *item,
					bool *more, struct tsl_error *err);
void names_release(struct item *item);
void names_free_item(struct item *item);
void names_close(struct names *s); /* NULL is allowed */

#endif /* CLI_NAMES_H */
