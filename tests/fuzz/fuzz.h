/*
 * fuzz.h - what the fuzzed properties share
 */
#ifndef TESTS_FUZZ_H
#define TESTS_FUZZ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

/* libFuzzer, or replay.c, calls these. */
int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static inline void
must(bool ok)
{
	if (!ok)
		abort();
}

#endif /* TESTS_FUZZ_H */
