/*
 * small_input.h - a file that is read in one call, header and data
 *
 * Only of files that are as they ought to be: what is wrong with another is
 * found out, and said, by a reader.
 */
#ifndef CLI_SMALL_INPUT_H
#define CLI_SMALL_INPUT_H

#include "npyio/input/reader.h"

struct small_input; /* an array in memory, with a reader of it */

/*
 * small_input_read() reads a file of less than 'room' bytes, all of it, and
 * returns how many they are; or 0: it is not such a file, or none, and '*fd' is
 * it, open, as if nothing had been read, or -1: it cannot be opened.
 */
size_t small_input_read(const char *path, char *bytes, size_t room, int *fd);

/*
 * small_input_new() is the array in a file of n bytes, or NULL.
 * small_input_again() makes it that of another one, if that has the same
 * header, of which nothing more is looked at.  What was made of the array that
 * the reader had is good for this one too.
 */
struct small_input *small_input_new(const char *path, const char *bytes,
				    size_t n);
bool small_input_again(struct small_input *s, const char *path,
		       const char *bytes, size_t n);
struct npyio_reader *small_input_reader(const struct small_input *s);
void small_input_close(struct small_input *s); /* NULL is allowed */

#endif /* CLI_SMALL_INPUT_H */
