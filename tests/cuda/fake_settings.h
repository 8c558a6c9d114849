/*
 * fake_settings.h - what a test asks of the stand-in, by the environment
 *
 *	FAKE_CUDA_FAIL=n	the n-th call from cuInit on fails
 *	FAKE_CUDA_STICKY=1	and so do all after it, as after a bad address
 *	FAKE_CUDA_MEMORY=n	bytes of device memory (1 GiB)
 *	FAKE_CUDA_DEVICES=n	(1)
 *	FAKE_CUDA_VERSION=n	of the driver (the toolkit's)
 */
#ifndef TESTS_CUDA_FAKE_SETTINGS_H
#define TESTS_CUDA_FAKE_SETTINGS_H

#include <stdbool.h>
#include <stddef.h>

struct fake_settings {
	long fail_at; /* 0: none does */
	bool sticky;
	size_t memory;
	int devices, version;
};

void fake_settings_read(struct fake_settings *s);

#endif /* TESTS_CUDA_FAKE_SETTINGS_H */
