/*
 * archive_names.h - the names of an archive's members, in order
 *
 * To look for one name among many takes a look at each; to look for many, an
 * order.
 */
#ifndef NPYIO_ARCHIVE_NAMES_H
#define NPYIO_ARCHIVE_NAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct npyio_name {
	const char *s; /* len bytes of the directory's */
	size_t len;
	int64_t member; /* whose it is */
};

struct npyio_names {
	int64_t n;
	struct npyio_name *name; /* NULL: not in order yet */
};

/*
 * npyio_names_sort() takes over name[0, n), allocated with malloc(), and puts
 * them in order; those that are the same, in the members'.
 */
void npyio_names_sort(struct npyio_names *names, struct npyio_name *name,
		      int64_t n);
void npyio_names_free(struct npyio_names *names);

/*
 * npyio_names_count() is how many are s[0, len), of which '*first' is the first
 * member's, if there is any.
 */
int64_t npyio_names_count(const struct npyio_names *names, const char *s,
			  size_t len, int64_t *first);

#endif /* NPYIO_ARCHIVE_NAMES_H */
