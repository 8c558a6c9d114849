/*
 * spans.h - which bytes of a file are there
 */
#ifndef NPYIO_SPANS_H
#define NPYIO_SPANS_H

#include <stdbool.h>
#include <stdint.h>

struct npyio_span {
	int64_t lo, hi; /* bytes */
};

/* Apart, and in order.  All 0 is none. */
struct npyio_spans {
	struct npyio_span *span;
	int64_t n, cap;
};

/*
 * npyio_spans_add() notes that bytes [lo, hi) are there; without memory for it,
 * or where there are very many spans, it does not.  npyio_spans_drop() notes
 * that bytes [0, hi) are not.
 */
void npyio_spans_add(struct npyio_spans *s, int64_t lo, int64_t hi);
void npyio_spans_drop(struct npyio_spans *s, int64_t hi);
void npyio_spans_free(struct npyio_spans *s);

/*
 * npyio_spans_missing() narrows [*lo, *hi) to the first bytes of it that are
 * not there, which are all side by side; false if there are none.
 */
bool npyio_spans_missing(const struct npyio_spans *s, int64_t *lo, int64_t *hi);

#endif /* NPYIO_SPANS_H */
