/*
 * picture.h - an output whose elements are pixels, looked at where they are
 */
#ifndef CLI_PICTURE_H
#define CLI_PICTURE_H

#include "colormap.h"
#include "npyio/transfer/peek.h"

/* How it is to be shown. */
struct image_how {
	int map; /* enum image_map; -1: not said */
	bool has_range;
	double low, high; /* what is shown darkest and lightest */
};

struct picture {
	const struct tsl_array *a;
	struct npyio_peek peek;
	int64_t height, width;
	int channels; /* 1: values; 3 or 4: colours as they stand */
	bool is_scaled;
	bool has_nan; /* which has a colour of its own */
	long double low, high;
	enum image_map map;
	char *bytes; /* of a row */
};

/*
 * picture_check() says whether an array makes a picture.  Returns TSL_OK;
 * TSL_EBAD_RANK, TSL_EDTYPE_MISMATCH, TSL_EBAD_SHAPE, for the first input.
 */
enum tsl_status TSL_MUST_USE picture_check(const struct tsl_array *a,
					   struct tsl_error *err);

/*
 * picture_open() is for the output of t->job, which was checked and is in C
 * order.  Values are gone through once where they have to be.  Close it in any
 * case.
 */
enum tsl_status TSL_MUST_USE picture_open(struct picture *m,
					  const struct npyio_transfer *t,
					  const struct image_how *how,
					  struct tsl_error *err);
void picture_close(struct picture *m);

/* picture_row() makes n pixels of a row, of columns[0, n); NULL: the first n.
 */
enum tsl_status TSL_MUST_USE picture_row(struct picture *m, int64_t row,
					 const int64_t columns[], int64_t n,
					 struct pixel pixels[],
					 struct tsl_error *err);

/* picture_is_gray() says that a pixel's colours are all the same, and opaque.
 */
bool picture_is_gray(const struct picture *m);

#endif /* CLI_PICTURE_H */
