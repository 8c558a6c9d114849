/*
 * record.h - an element of any type as a tree of its parts
 *
 * A part is an element of a plain type, or a record of named parts; either may
 * be repeated, as an array.  The parts stand in one list, each in front of
 * those that it is made of.
 */
#ifndef CLI_RECORD_H
#define CLI_RECORD_H

#include "element.h"

struct part {
	bool is_record;
	int end; /* the number of the first part that is not of this one */
	int64_t offset; /* bytes, in the record that it is of */
	int64_t size; /* bytes, of one */
	int64_t count; /* of them */
	int ndim;
	size_t dim; /* the first of its axes, in the tree's dims */
	size_t name; /* in the tree's names */
	struct element_format format; /* unless it is a record */
};

struct record {
	struct part *part; /* the first one is the element itself */
	int n, cap;
	int64_t *dims;
	size_t ndims, dims_cap;
	struct npyio_text names; /* each with its NUL */
	bool unabridged; /* no array in an element is abridged */
};

/*
 * record_init() takes a type apart.  'alone': it is that of an array without
 * axes.  Free it, on failure too.  Returns TSL_OK; TSL_EMEMORY.
 */
enum tsl_status TSL_MUST_USE record_init(struct record *r,
					 const struct tsl_dtype *dtype,
					 bool alone, int precision,
					 struct tsl_error *err);
void record_free(struct record *r);

/*
 * record_shown() is how many plain elements are written for one, INT64_MAX if
 * they cannot be counted.
 */
int64_t record_shown(const struct record *r);

/*
 * record_has_end() is false if 'count' elements have so many parts without
 * bytes that nobody would see the end of them.
 */
bool record_has_end(const struct record *r, int64_t count);

/* record_measure() and record_write() are element.h's, for any element. */
void record_measure(struct record *r, int pass, const char *bytes);
void record_write(const struct record *r, const char *bytes,
		  struct npyio_text *out);

#endif /* CLI_RECORD_H */
