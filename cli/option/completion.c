/*
 * completion.c - what a command says of itself to those who complete its words
 */
#include "completion.h"

#include <stdio.h>

/* A field is never empty: shells take several blanks for one. */
static void
print_words(const char *const *words)
{
	if (!words)
		putchar('-');
	for (int i = 0; words && words[i]; i++)
		printf("%s%s", i > 0 ? " " : "", words[i]);
}

static void
print_option(const struct opt *o)
{
	printf("option\t%c\t%s\t", o->letter ? o->letter : '-', o->name);
	printf(o->is_optional ? "[%s]\t" : "%s\t", o->arg ? o->arg : "-");
	print_words(o->choices);
	printf("\t%s\n", o->help);
}

void
completion_list(const struct opt *table, const char *(*word)(int i))
{
	for (int i = 0; table[i].name; i++)
		if (table[i].help)
			print_option(&table[i]);
	for (int i = 0; word && word(i); i++)
		printf("word\t%s\n", word(i));
}
