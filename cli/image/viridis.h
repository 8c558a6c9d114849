/*
 * viridis.h - the colour map of that name, from the least to the greatest
 */
#ifndef CLI_VIRIDIS_H
#define CLI_VIRIDIS_H

#include <stdint.h>

extern const uint32_t viridis[256]; /* 0xRRGGBB */

#endif /* CLI_VIRIDIS_H */
