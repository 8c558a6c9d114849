/*
 * dtype_order.c - a type in another byte order
 *
 * A type's text is npyio's, and so known to be well formed.
 */
#include "dtype_order.h"

#include <string.h>

/* A string of any kind, with its quotes. */
static char *
skip_string(char *s)
{
	char quote = *s++;

	while (*s != quote)
		s += *s == '\\' ? 2 : 1;
	return s + 1;
}

/* 'name' or ('title', 'name'). */
static char *
skip_names(char *s)
{
	if (*s != '(')
		return skip_string(s);
	s = skip_string(s + 1);
	s = skip_string(s + strlen(", "));
	return s + 1;
}

static char *set_type(char *s, char order);

/* What follows an opening bracket: a type, perhaps a shape, and the end. */
static char *
set_array(char *s, char order)
{
	s = set_type(s, order);
	if (*s == ',')
		s = strchr(s, ')') + 1;
	return s + 1;
}

static char *
set_fields(char *s, char order)
{
	for (s++; *s != ']';) {
		if (*s != '(') {
			s++;
			continue;
		}
		s = skip_names(s + 1) + strlen(", ");
		s = set_array(s, order);
	}
	return s + 1;
}

static char *
set_type(char *s, char order)
{
	if (*s == '(')
		return set_array(s + 1, order);
	if (*s == '[')
		return set_fields(s, order);
	if (s[1] == '<' || s[1] == '>')
		s[1] = order;
	return skip_string(s);
}

void
tsl_dtype_set_order(struct tsl_dtype *dtype, char *descr, char order)
{
	set_type(descr, order);
	dtype->descr = descr;
	if (dtype->order != '|')
		dtype->order = order;
}
