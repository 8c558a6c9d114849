/*
 * result_order.c - the byte order that a result is asked for in
 */
#include "result_order.h"

#include "lib/base/dtype_order.h"

#include <stdlib.h>
#include <string.h>

/* By the numbers of byte_order_choices. */
char
result_order_mark(const struct common_options *co)
{
	static const char marks[] = {
		[BYTE_ORDER_LITTLE] = '<',
		[BYTE_ORDER_BIG] = '>',
		[BYTE_ORDER_NATIVE] =
			__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? '<' : '>',
	};

	return co->byte_order < 0 ? '\0' : marks[co->byte_order];
}

enum tsl_status
result_order_of(struct result_order *o, const struct common_options *co,
		const struct tsl_dtype *dtype, const struct tsl_dtype **as,
		struct tsl_error *err)
{
	result_order_free(o);
	*as = NULL;
	if (co->byte_order < 0)
		return TSL_OK;
	o->descr = strdup(dtype->descr);
	if (!o->descr)
		return tsl_no_memory(err);
	o->dtype = *dtype;
	tsl_dtype_set_order(&o->dtype, o->descr, result_order_mark(co));
	if (strcmp(o->descr, dtype->descr) != 0)
		*as = &o->dtype;
	return TSL_OK;
}

enum tsl_status
result_order_set(struct result_order *o, const struct common_options *co,
		 struct tsl_job *job, struct tsl_error *err)
{
	return result_order_of(o, co, &job->out.dtype, &job->as, err);
}

void
result_order_free(struct result_order *o)
{
	free(o->descr);
	*o = (struct result_order){ .descr = NULL };
}
