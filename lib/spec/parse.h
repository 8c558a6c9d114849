/*
 * parse.h - a slice string as the items that stand in it
 *
 *	spec  = item { "," item } [ "," ]	brackets around it optional
 *	item  = "..." | "Ellipsis" | newaxis | int | range
 *	range = [ bound ] ":" [ bound ] [ ":" [ bound ] ]
 *	bound = int | "None"			None: left out
 *
 * The shape is not needed: a slice string is compiled once, whatever it will
 * be applied to.
 */
#ifndef TSL_PARSE_H
#define TSL_PARSE_H

#include "lib/base/status.h"

#include <stddef.h>

#define TSL_MAX_ITEMS 31 /* one bit each in an int32 mask, one to spare */

enum tsl_item_kind {
	TSL_ITEM_INDEX,
	TSL_ITEM_RANGE,
	TSL_ITEM_ELLIPSIS,
	TSL_ITEM_NEWAXIS,
};

enum tsl_part { TSL_BEGIN, TSL_END, TSL_STEP };

struct tsl_place {
	int pos, len; /* bytes of the slice string */
};

struct tsl_item {
	enum tsl_item_kind kind;
	bool given[3]; /* of a range: by enum tsl_part */
	int64_t value[3]; /* an index stands in value[TSL_BEGIN] */
	struct tsl_place part[3];
	struct tsl_place place; /* the whole item */
};

struct tsl_spec {
	int nitems;
	struct tsl_item item[TSL_MAX_ITEMS];
};

/*
 * tsl_parse() reads the slice string text[0, len).  What is wrong is found in
 * this order: syntax anywhere, an integer that does not fit int64_t, more
 * than TSL_MAX_ITEMS items.
 *
 * Returns TSL_OK; TSL_ESYNTAX, TSL_EOVERFLOW or TSL_ETOO_MANY_SPECS with the
 * place in 'err'.  On failure 'spec' is unspecified.
 */
enum tsl_status TSL_MUST_USE tsl_parse(struct tsl_spec *spec, const char *text,
				       size_t len, struct tsl_error *err);

/*
 * tsl_spec_locate() gives an error that names an item of an encoding compiled
 * from 'spec' the item's place in the slice string.  Others stay as they are.
 */
void tsl_spec_locate(const struct tsl_spec *spec, struct tsl_error *err);

#endif /* TSL_PARSE_H */
