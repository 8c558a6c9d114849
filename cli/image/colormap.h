/*
 * colormap.h - the colours of values
 */
#ifndef CLI_COLORMAP_H
#define CLI_COLORMAP_H

enum image_map {
	IMAGE_VIRIDIS,
	IMAGE_GRAY,
};

struct pixel {
	unsigned char red, green, blue, alpha;
};

/* colormap_of() is the colour of a value of 0 to 255. */
struct pixel colormap_of(enum image_map map, int value);

/* colormap_256() is the closest of the 256 colours that terminals have. */
int colormap_256(struct pixel p);

#endif /* CLI_COLORMAP_H */
