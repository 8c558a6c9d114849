/*
 * colors.h - the colours of values
 */
#ifndef CLI_COLORS_H
#define CLI_COLORS_H

enum image_map {
	IMAGE_VIRIDIS,
	IMAGE_GRAY,
};

struct pixel {
	unsigned char red, green, blue, alpha;
};

/* colors_of() is the colour of a value of 0 to 255. */
struct pixel colors_of(enum image_map map, int value);

/* colors_256() is the closest of the 256 colours that terminals have. */
int colors_256(struct pixel p);

#endif /* CLI_COLORS_H */
