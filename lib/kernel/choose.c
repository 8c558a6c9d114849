/*
 * choose.c - which kernel is for which rows
 */
#include "types.h"

tsl_kernel *
tsl_kernel_for(int64_t width, int64_t step, int64_t row_stride, int64_t n)
{
	tsl_kernel *kernel = tsl_small_kernel_for(width, step, row_stride, n);

	if (!kernel && step == width)
		kernel = tsl_memcpy_kernel;
	if (!kernel && (row_stride == width || row_stride == -width))
		kernel = tsl_transpose_kernel_for(width);
	if (!kernel && step == -width)
		kernel = tsl_reverse_kernel_for(width, n);
	return kernel ? kernel : tsl_row_kernel_for(width, step, n);
}
