/*
 * parts_directory.h - a directory of ours beside an output, for the parts of it
 *
 * It is the user's own, nobody else may write to it, and it holds nothing but
 * regular files of the user's under names that are listed here.  What is
 * anything else is not ours: then nothing is made, written or removed in it.
 * All that is in it is reached from one descriptor, through no link.
 */
#ifndef NPYIO_PARTS_DIRECTORY_H
#define NPYIO_PARTS_DIRECTORY_H

#include "npyio/output/atomic_file.h"

#define NPYIO_FOLDER_PLAN "plan"
#define NPYIO_FOLDER_OFFER "plan." /* and a number: on its way to be it */
#define NPYIO_FOLDER_DATA "data"
/* A part that is made is its number alone; this follows until then. */
#define NPYIO_FOLDER_BEGUN ".begun"

/* What a plan begins with: a file by itself is known by it to be ours. */
#define NPYIO_FOLDER_MAGIC "tslice: "

struct npyio_parts_directory {
	int at; /* the directory that it is in */
	char name[NPYIO_ATOMIC_FILE_NAME]; /* in that */
	int fd; /* -1: not open */
};

/*
 * npyio_parts_directory_open() opens the directory f->name in f->at, or makes
 * it. Returns TSL_OK; TSL_EIO, also if it is not ours.
 */
enum tsl_status TSL_MUST_USE npyio_parts_directory_open(
	struct npyio_parts_directory *f, struct tsl_error *err);
void npyio_parts_directory_close(struct npyio_parts_directory *f);

/* What parts there are marks of. */
struct npyio_marks {
	int number; /* a part; and whether it is among them */
	bool made;
	int count; /* how many of parts 1 to ... are */
	int n;
};

/*
 * npyio_parts_directory_list() sees that there is nothing in it but what is
 * ours, and, unless 'marks' is NULL, fills in the marks.  Names are listed, not
 * looked up: a network file system may remember that there was none. 'closely':
 * files are looked at, too.  Returns TSL_OK; TSL_EIO.
 */
enum tsl_status TSL_MUST_USE npyio_parts_directory_list(
	const struct npyio_parts_directory *f, struct npyio_marks *marks,
	bool closely, struct tsl_error *err);

/*
 * npyio_parts_directory_is_here() stores whether the directory still has its
 * name, and npyio_parts_directory_has() whether what 'fd' is open on still has
 * that name in it. Return TSL_OK; TSL_EIO.
 */
enum tsl_status TSL_MUST_USE
npyio_parts_directory_is_here(const struct npyio_parts_directory *f,
			      bool *is_here, struct tsl_error *err);
enum tsl_status TSL_MUST_USE npyio_parts_directory_has(
	const struct npyio_parts_directory *f, const char *name, int fd,
	bool *has, struct tsl_error *err);

/*
 * npyio_parts_directory_enter() opens a file of it, to be read and written;
 * what there is has to be ours.  npyio_parts_directory_make() makes one that
 * there was none of.
 *
 * Return TSL_OK; TSL_EIO, with ENOENT where there is none of the name or the
 * directory is gone, and EEXIST where there is one to be made, in err->sys.
 */
enum tsl_status TSL_MUST_USE
npyio_parts_directory_enter(const struct npyio_parts_directory *f,
			    const char *name, int *fd, struct tsl_error *err);
enum tsl_status TSL_MUST_USE npyio_parts_directory_make(
	const struct npyio_parts_directory *f, const char *name, mode_t mode,
	int *fd, struct tsl_error *err);

/*
 * npyio_parts_directory_clear() removes all marks, as long as there are no
 * data: theirs are gone.  TSL_OK; TSL_EIO.
 */
enum tsl_status TSL_MUST_USE npyio_parts_directory_clear(
	const struct npyio_parts_directory *f, struct tsl_error *err);

/*
 * npyio_parts_directory_remove() removes it with all that is ours in it;
 * somebody else may be doing the same.  Returns TSL_OK; TSL_EIO if something is
 * left.
 */
enum tsl_status TSL_MUST_USE npyio_parts_directory_remove(
	struct npyio_parts_directory *f, struct tsl_error *err);

#endif /* NPYIO_PARTS_DIRECTORY_H */
