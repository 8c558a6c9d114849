/*
 * colormap.c - the colours of values
 */
#include "colormap.h"

#include "viridis.h"

struct pixel
colormap_of(enum image_map map, int value)
{
	unsigned char gray = (unsigned char)value;
	uint32_t color = viridis[gray];

	if (map == IMAGE_GRAY)
		return (struct pixel){ gray, gray, gray, 255 };
	return (struct pixel){ (unsigned char)(color >> 16),
			       (unsigned char)(color >> 8),
			       (unsigned char)color, 255 };
}

/* The cube of 6 x 6 x 6 colours has these steps. */
static const int steps[] = { 0, 95, 135, 175, 215, 255 };

static int
closest_step(int value)
{
	int best = 0;

	for (int i = 1; i < 6; i++)
		if (2 * value > steps[i - 1] + steps[i])
			best = i;
	return best;
}

static int
distance(struct pixel p, int red, int green, int blue)
{
	int r = p.red - red, g = p.green - green, b = p.blue - blue;

	return r * r + g * g + b * b;
}

int
colormap_256(struct pixel p)
{
	int r = closest_step(p.red);
	int g = closest_step(p.green);
	int b = closest_step(p.blue);
	/* Colours 232 to 255 are grays, from 8 on in steps of 10. */
	int mean = (p.red + p.green + p.blue) / 3;
	int gray = mean < 8 ? 0 : mean > 238 ? 23 : (mean - 3) / 10;
	int level = 8 + 10 * gray;

	if (distance(p, level, level, level) <
	    distance(p, steps[r], steps[g], steps[b]))
		return 232 + gray;
	return 16 + 36 * r + 6 * g + b;
}
