/*
 * help.c - what a command says of itself to people
 */
#include "help.h"

#include "cli/report/version.h"
#include "device.h"

#include <stdio.h>
#include <string.h>

/* Where the help of an option begins, and where a line of it must end. */
#define HELP_COLUMN 29
#define LINE_END 79

/* Words from HELP_COLUMN on, and on lines below where they are too many. */
static void
print_folded(const char *words)
{
	int column = HELP_COLUMN;

	while (*words) {
		int n = (int)strcspn(words, " ");

		if (column > HELP_COLUMN && column + 1 + n > LINE_END) {
			printf("\n%*s", HELP_COLUMN, "");
			column = HELP_COLUMN;
		}
		column += printf("%s%.*s", column > HELP_COLUMN ? " " : "", n,
				 words);
		words += n;
		words += strspn(words, " ");
	}
	putchar('\n');
}

static void
print_option(const struct opt *o)
{
	char left[40];

	snprintf(left, sizeof(left), "  %c%c%s--%s%s%s%s%s",
		 o->letter ? '-' : ' ', o->letter ? o->letter : ' ',
		 o->letter ? ", " : "  ", o->name, o->is_optional ? "[" : "",
		 o->arg ? "=" : "", o->arg ? o->arg : "",
		 o->is_optional ? "]" : "");
	printf("%-*s ", HELP_COLUMN - 1, left);
	print_folded(o->help);
}

void
help_print(const struct opt *table, const struct usage *usage, bool all)
{
	printf("Examples:\n%s\nUsage:\n%s%s\n%s\n", usage->examples,
	       usage->synopsis, all && usage->more ? usage->more : "",
	       usage->purpose);
	if (!usage->reads_text)
		puts("An input is an .npy file, FILE.npz:NAME, or '-', "
		     "standard input.");
	puts("\nOptions:");
	for (int i = 0; table[i].name; i++)
		if (table[i].help && (all || !table[i].is_rare))
			print_option(&table[i]);
}

void
help_print_version(void)
{
	printf("tslice %s\n%s\n", TSLICE_VERSION, device_built_in());
}
