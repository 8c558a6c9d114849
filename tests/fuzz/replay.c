/*
 * replay.c - gives each file of a directory to a fuzzed property, without a
 * fuzzer
 *
 * usage: replay DIRECTORY
 *
 * Writes TAP; where a property does not hold, the program aborts and the plan
 * is not completed.
 */
#define _POSIX_C_SOURCE 200809L
#include "fuzz.h"

#include <dirent.h>
#include <stdio.h>
#include <string.h>

__attribute__((weak)) int
LLVMFuzzerInitialize(int *argc, char ***argv)
{
	(void)argc;
	(void)argv;
	return 0;
}

static int
is_case(const struct dirent *e)
{
	return e->d_name[0] != '.';
}

static void
replay(const char *directory, const char *name)
{
	char path[4096];
	uint8_t *data = malloc(1 << 20);
	size_t n;
	FILE *f;

	snprintf(path, sizeof(path), "%s/%s", directory, name);
	f = fopen(path, "rb");
	must(f && data);
	n = fread(data, 1, 1 << 20, f);
	fclose(f);
	/* Of its own size, so that a byte too many is seen. */
	data = realloc(data, n ? n : 1);
	LLVMFuzzerTestOneInput(data, n);
	free(data);
}

int
main(int argc, char **argv)
{
	struct dirent **list;
	int n;

	if (argc != 2 || (n = scandir(argv[1], &list, is_case, alphasort)) < 0)
		return 2;
	LLVMFuzzerInitialize(&argc, &argv);
	printf("1..%d\n", n);
	for (int i = 0; i < n; i++) {
		printf("# %s\n", list[i]->d_name);
		fflush(stdout);
		replay(argv[1], list[i]->d_name);
		printf("ok %d - %s\n", i + 1, list[i]->d_name);
		free(list[i]);
	}
	free(list);
	return 0;
}
