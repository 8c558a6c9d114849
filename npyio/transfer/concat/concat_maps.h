/*
 * concat_maps.h - the inputs of a concatenation that stand in another order
 * than the output, mapped as a whole
 */
#ifndef NPYIO_CONCAT_MAPS_H
#define NPYIO_CONCAT_MAPS_H

#include "lib/op/cat.h"
#include "npyio/file/window.h"
#include "npyio/transfer/common/output.h"

struct npyio_concat_map {
	struct npyio_window window;
	const char *bytes; /* of the input, from the first on; NULL: not here */
	bool is_held; /* the reader, for as long as it is mapped */
};

struct npyio_concat_maps {
	const struct npyio_transfer *t;
	struct npyio_concat_map *map; /* one of each input; NULL: none */
	int64_t nbytes; /* that are mapped */
};

/*
 * npyio_concat_maps_init() maps those of parts [begin, end) that stand in
 * another order than the output; of a stream that is kept in memory, it is
 * that.  All of them or, where there is no room or it cannot be had, none.
 * Returns TSL_OK; TSL_EIO, TSL_EMEMORY.  To be closed in any case.
 */
enum tsl_status TSL_MUST_USE npyio_concat_maps_init(
	struct npyio_concat_maps *m, const struct npyio_output *out,
	int64_t begin, int64_t end, struct tsl_error *err);
void npyio_concat_maps_close(struct npyio_concat_maps *m);

/* npyio_concat_mapped() is all of an input, from the first byte on, or NULL. */
const char *npyio_concat_mapped(const struct npyio_concat_maps *m, int input);

#endif /* NPYIO_CONCAT_MAPS_H */
