/*
 * processor.c - what this processor can do
 */
#include "types.h"

/*
 * glibc has asked the processor already; gcc's own __builtin_cpu_supports()
 * asks again before main(), which in a virtual machine takes 50 us.
 */
#if defined(__x86_64__) && defined(__has_include)
#if __has_include(<sys/platform/x86.h>)
#include <sys/platform/x86.h>
#define SUPPORTS_AVX2 CPU_FEATURE_ACTIVE(AVX2)
#else
#define SUPPORTS_AVX2 __builtin_cpu_supports("avx2")
#endif
#else
#define SUPPORTS_AVX2 false
#endif

bool tsl_plain_kernels;

bool
tsl_have_avx2(void)
{
	return !tsl_plain_kernels && SUPPORTS_AVX2;
}
