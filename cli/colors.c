/*
 * colors.c - the colours of values
 */
#include "colors.h"

/*
 * Viridis is Nathaniel Smith's and Stefan van der Walt's, in the public domain.
 * This polynomial of degree 6, for red, green and blue, is Matt Zucker's fit to
 * it ("Colormaps using polynomials", shadertoy.com/view/WlfXRN, CC0), which is
 * nowhere off by more than a few of 255.
 */
static const double viridis[][3] = {
	{ 0.2777273272234177, 0.005407344544966578, 0.3340998053353061 },
	{ 0.1050930431085774, 1.404613529898575, 1.384590162594685 },
	{ -0.3308618287255563, 0.214847559468213, 0.09509516302823659 },
	{ -4.634230498983486, -5.799100973351585, -19.33244095627987 },
	{ 6.228269936347081, 14.17993336680509, 56.69055260068105 },
	{ 4.776384997670288, -13.74514537774601, -65.35303263337234 },
	{ -5.435455855934631, 4.645852612178535, 26.3124352495832 },
};

#define DEGREE 6

static unsigned char
viridis_part(double t, int part)
{
	double v = 0;

	for (int i = DEGREE; i >= 0; i--)
		v = v * t + viridis[i][part];
	v = v < 0 ? 0 : v > 1 ? 1 : v;
	return (unsigned char)(255 * v + 0.5);
}

struct pixel
colors_of(enum image_map map, int value)
{
	unsigned char gray = (unsigned char)value;
	double t = value / 255.;

	if (map == IMAGE_GRAY)
		return (struct pixel){ gray, gray, gray, 255 };
	return (struct pixel){ viridis_part(t, 0), viridis_part(t, 1),
			       viridis_part(t, 2), 255 };
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
colors_256(struct pixel p)
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
