/*
 * byte_order.h - elements turned from one byte order to another, whatever
 * they are made of
 */
#ifndef TSL_BYTE_ORDER_H
#define TSL_BYTE_ORDER_H

#include "dtype.h"
#include "status.h"

/*
 * tsl_byte_order_convert() turns 'n' elements of type 'from' into those of
 * type 'to', in place.  The types are equal but for byte orders, which in a
 * structured type each field has of its own; see tsl_dtype_equal().
 *
 * Returns TSL_OK; TSL_EMEMORY.
 */
enum tsl_status TSL_MUST_USE
tsl_byte_order_convert(char *bytes, int64_t n, const struct tsl_dtype *from,
		       const struct tsl_dtype *to, struct tsl_error *err);

#endif /* TSL_BYTE_ORDER_H */
