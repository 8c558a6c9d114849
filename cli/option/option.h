/*
 * option.h - one option as data
 *
 * Each entry points to a variable of its own type, so that an entry with the
 * wrong pointer does not compile.
 */
#ifndef CLI_OPTION_H
#define CLI_OPTION_H

#include <stdbool.h>
#include <stdint.h>

struct opt {
	char letter; /* 0: none */
	const char *name;
	const char *arg; /* of the value, for people; NULL: a flag */
	const char *help; /* NULL: taken, but not shown */
	/* one of these is set; or a flag besides a choice */
	bool *flag;
	const char **string;
	int *number; /* a count, 1 or more */
	int *digits; /* a count, 0 or more */
	int64_t *size; /* bytes */
	int *choice; /* index into choices */
	const char *const *choices; /* ends with NULL; of a string: some */
	bool is_optional; /* the value; none stands for choice 1 */
	bool is_rare; /* shown by --help-all only */
};

/*
 * Each ends with the help, behind which OPT_RARE may stand: what only
 * --help-all shows.
 */
#define OPT_RARE .is_rare = true

#define OPT_FLAG(letter, name, var, ...)                       \
	{                                                      \
		letter, name, NULL, __VA_ARGS__, .flag = (var) \
	}
#define OPT_STRING(letter, name, arg, var, ...)                 \
	{                                                       \
		letter, name, arg, __VA_ARGS__, .string = (var) \
	}
/* These are words that it often is. */
#define OPT_WORD(letter, name, arg, var, list, ...)               \
	{                                                         \
		letter, name, arg, __VA_ARGS__, .string = (var),  \
						.choices = (list) \
	}
#define OPT_NUMBER(letter, name, arg, var, ...)                 \
	{                                                       \
		letter, name, arg, __VA_ARGS__, .number = (var) \
	}
#define OPT_CHOICE(letter, name, arg, var, list, ...)             \
	{                                                         \
		letter, name, arg, __VA_ARGS__, .choice = (var),  \
						.choices = (list) \
	}
#define OPT_SIZE(letter, name, arg, var, ...)                 \
	{                                                     \
		letter, name, arg, __VA_ARGS__, .size = (var) \
	}
#define OPT_DIGITS(letter, name, arg, var, ...)                 \
	{                                                       \
		letter, name, arg, __VA_ARGS__, .digits = (var) \
	}
/* The value may be left out, which stands for choice 1. */
#define OPT_MAYBE(letter, name, arg, var, list, ...)                \
	{                                                           \
		letter, name, arg, __VA_ARGS__, .choice = (var),    \
						.choices = (list),  \
						.is_optional = true \
	}

/* The same, with a flag that says that the option was given. */
#define OPT_FORM(letter, name, arg, given, var, list, ...)                   \
	{                                                                    \
		letter, name, arg, __VA_ARGS__,                              \
			.flag = (given), .choice = (var), .choices = (list), \
			.is_optional = true                                  \
	}

/* The same of a string, which is NULL if it is left out. */
#define OPT_MAYBE_STRING(letter, name, arg, given, var, ...)                  \
	{                                                                     \
		letter, name, arg, __VA_ARGS__,                               \
			.flag = (given), .string = (var), .is_optional = true \
	}

#endif /* CLI_OPTION_H */
