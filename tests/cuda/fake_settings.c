/*
 * fake_settings.c - what a test asks of the stand-in, by the environment
 */
#include "fake_settings.h"

#include <cuda.h>
#include <stdlib.h>

static long
setting(const char *name, long otherwise)
{
	const char *text = getenv(name);

	return text && *text ? strtol(text, NULL, 10) : otherwise;
}

void
fake_settings_read(struct fake_settings *s)
{
	s->fail_at = setting("FAKE_CUDA_FAIL", 0);
	s->sticky = setting("FAKE_CUDA_STICKY", 0) != 0;
	s->memory = (size_t)setting("FAKE_CUDA_MEMORY", 1 << 30);
	s->devices = (int)setting("FAKE_CUDA_DEVICES", 1);
	s->version = (int)setting("FAKE_CUDA_VERSION", CUDA_VERSION);
}
