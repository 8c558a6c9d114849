/*
 * writer_private.h - a writer as those see it who are one
 */
#ifndef NPYIO_WRITER_PRIVATE_H
#define NPYIO_WRITER_PRIVATE_H

#include "atomic_file.h"
#include "npyio/file/kernel_copy.h"
#include "writer.h"

/* What differs between one kind of output and another. */
struct npyio_writer_kind {
	bool is_positional; /* writes may come in any order */
	bool is_critical; /* a handler undoes them; see critical_section.h */
	bool is_lent; /* the descriptor is another's */
	enum tsl_status (*put)(struct npyio_writer *w, const void *bytes,
			       size_t n, int64_t offset, struct tsl_error *err);
	enum tsl_status (*commit)(struct npyio_writer *w,
				  struct tsl_error *err);
};

struct npyio_writer {
	struct npyio_writer_options options;
	const char *path; /* as the user gave it */
	const struct npyio_writer_kind *kind;
	int fd; /* our own, or that of the file that is to appear */
	struct npyio_atomic_file atomic; /* of that kind */
	npyio_sink *put; /* of a sink */
	void *sink;
	bool is_pipe;
	struct npyio_archive_writer *archive; /* of members */
	char *file; /* an archive that is the writer's own; or NULL */
	int64_t start; /* in the file, of all that is written */
	int64_t base; /* of the array that is being written */
	struct npyio_kernel_copy direct;
};

/* npyio_writer_fail() is npyio_fail_sys() with the writer for the subject. */
enum tsl_status npyio_writer_fail(const struct npyio_writer *w,
				  const char *what, struct tsl_error *err);

/* What a handler undoes is done between the two; errno stays. */
void npyio_writer_critical_enter(const struct npyio_writer *w);
void npyio_writer_critical_leave(const struct npyio_writer *w);

#endif /* NPYIO_WRITER_PRIVATE_H */
