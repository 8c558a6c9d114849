/*
 * note.h - what is done and how, on standard error, for who asks with -v
 */
#ifndef CLI_NOTE_H
#define CLI_NOTE_H

#include "inputs.h"
#include "npyio/transfer/request.h"
#include "options.h"

/* note_plan() is about what is going to be done. */
void note_plan(const struct common_options *co, const struct npyio_transfer *t);

/* note_share() is about what this process writes of it, where several do. */
void note_share(const struct common_options *co, int64_t ranges,
		int64_t nbytes);

/* note_in_place() is about the 'nbytes' that are going to be written there. */
void note_in_place(const struct common_options *co,
		   const struct npyio_transfer *t, int64_t nbytes);

/* note_shared() is about the bytes that were not copied, and why all were. */
void note_shared(const struct common_options *co,
		 const struct npyio_transfer *t, int64_t shared);

/* note_spools() names the inputs that were stored on the way. */
void note_spools(const struct common_options *co, const struct inputs *inputs);

#endif /* CLI_NOTE_H */
