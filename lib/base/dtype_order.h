/*
 * dtype_order.h - a type in another byte order
 */
#ifndef TSL_DTYPE_ORDER_H
#define TSL_DTYPE_ORDER_H

#include "dtype.h"

/*
 * tsl_dtype_set_order() gives the type, and every field of a structured one,
 * the byte order '<' or '>' where it has any: descr, which must be writable,
 * and the order.
 */
void tsl_dtype_set_order(struct tsl_dtype *dtype, char *descr, char order);

#endif /* TSL_DTYPE_ORDER_H */
