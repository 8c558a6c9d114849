/*
 * share.h - what of a file each of several makes
 *
 * The file is cut into chunks, which are dealt in turn, or into as many blocks
 * as there are makers.  No byte is two makers': they may be on different hosts,
 * and systems that keep pages of a file for each host lose what is written to
 * two parts of a page at once.
 *
 * Everything is in BYTES: offsets are counted from the first of the file, of
 * which the header comes first; those of ranges from the first of the data.
 */
#ifndef NPYIO_SHARE_H
#define NPYIO_SHARE_H

#include <stdbool.h>
#include <stdint.h>

struct npyio_share {
	int64_t header, size; /* of the header, and of the whole file */
	int64_t chunk;
	int index, count; /* whose share, of how many */
	int64_t lo, hi; /* bytes of the file: those of the share in there */
};

enum npyio_deal {
	NPYIO_DEAL_BLOCKS, /* one run of the file each */
	NPYIO_DEAL_CHUNKS, /* in turn: none has all that takes long */
};

/*
 * npyio_share_init() cuts a file of 'header' and 'nbytes' of data for 'count'
 * makers, and gives maker 'index' its share.  The header is the first one's.
 */
void npyio_share_init(struct npyio_share *s, int64_t header, int64_t nbytes,
		      int index, int count, enum npyio_deal deal);

/*
 * npyio_share_narrow() leaves of a share what of bytes [lo, hi) of the data is
 * in it, with the header if that comes before them: its ranges are then as
 * many, and may be empty.
 */
void npyio_share_narrow(struct npyio_share *s, int64_t lo, int64_t hi);

/* npyio_share_is_all() says that there is nobody else. */
bool npyio_share_is_all(const struct npyio_share *s);

/*
 * npyio_share_ranges() is how many ranges of the data are in the share, and
 * npyio_share_range() stores where range i begins and ends.
 */
int64_t npyio_share_ranges(const struct npyio_share *s);
void npyio_share_range(const struct npyio_share *s, int64_t i, int64_t *lo,
		       int64_t *hi);

/* npyio_share_nbytes() is how many bytes of data they are. */
int64_t npyio_share_nbytes(const struct npyio_share *s);

/*
 * npyio_share_next() stores the first run of the bytes of the file [at, end)
 * that is in the share.  Returns false if there is none.
 */
bool npyio_share_next(const struct npyio_share *s, int64_t at, int64_t end,
		      int64_t *lo, int64_t *hi);

#endif /* NPYIO_SHARE_H */
