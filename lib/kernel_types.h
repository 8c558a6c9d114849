/*
 * kernel_types.h - elements by their width, for the kernels alone
 */
#ifndef TSL_KERNEL_TYPES_H
#define TSL_KERNEL_TYPES_H

#include <stdint.h>

/* Any bytes may be looked at through these, at any address. */
#define ANY __attribute__((may_alias, aligned(1)))
typedef uint8_t ANY any_u1;
typedef uint16_t ANY any_u2;
typedef uint32_t ANY any_u4;
typedef uint64_t ANY any_u8;
typedef struct __attribute__((may_alias, packed)) {
	uint64_t half[2];
} any_u16;

#undef ANY

#endif /* TSL_KERNEL_TYPES_H */
