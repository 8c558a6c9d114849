/*
 * fake_words.c - the errors of the stand-in's driver, in the real one's words
 */
#include <cuda.h>
#include <stddef.h>

static const struct {
	CUresult error;
	const char *text;
} words[] = {
	{ CUDA_ERROR_INVALID_VALUE, "invalid argument" },
	{ CUDA_ERROR_OUT_OF_MEMORY, "out of memory" },
	{ CUDA_ERROR_NO_DEVICE, "no CUDA-capable device is detected" },
	{ CUDA_ERROR_INVALID_DEVICE, "invalid device ordinal" },
	{ CUDA_ERROR_INVALID_IMAGE, "device kernel image is invalid" },
	{ CUDA_ERROR_INVALID_CONTEXT, "invalid device context" },
	{ CUDA_ERROR_UNSUPPORTED_PTX_VERSION,
	  "the provided PTX was compiled with an unsupported toolchain." },
	{ CUDA_ERROR_INVALID_HANDLE, "invalid resource handle" },
	{ CUDA_ERROR_NOT_FOUND, "named symbol not found" },
	{ CUDA_ERROR_ILLEGAL_ADDRESS,
	  "an illegal memory access was encountered" },
	{ CUDA_ERROR_MISALIGNED_ADDRESS, "misaligned address" },
	{ CUDA_ERROR_LAUNCH_FAILED, "unspecified launch failure" },
};

__attribute__((visibility("default"))) CUresult
cuGetErrorString(CUresult error, const char **text)
{
	*text = NULL;
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (words[i].error == error)
			*text = words[i].text;
	return *text ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}
