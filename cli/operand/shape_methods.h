/*
 * shape_methods.h - tshape's methods: a chain of them, and what each does
 */
#ifndef CLI_SHAPE_METHODS_H
#define CLI_SHAPE_METHODS_H

#include "lib/base/shape.h"

#define METHODS_MAX 64 /* in a chain */

enum value_kind { VALUE_SHAPE, VALUE_NUMBER, VALUE_ANSWER, VALUE_DTYPE };

struct value {
	enum value_kind kind;
	struct tsl_shape shape;
	const struct tsl_array *array; /* of the file; NULL: a shape alone */
	int64_t number; /* or TSL_UNKNOWN */
	bool answer;
};

struct method; /* a row of the table */

/* A method with its arguments. */
struct step {
	const struct method *method;
	int64_t number[2];
	struct tsl_shape shape;
};

struct chain {
	int n;
	struct step step[METHODS_MAX];
};

/* shape_methods_is_name() says whether an operand is a method's name. */
bool shape_methods_is_name(const char *operand);

/* shape_methods_name() is the name of the i-th method; NULL behind the last. */
const char *shape_methods_name(int i);

/*
 * shape_methods_hint() adds to 'err' the method whose name 'operand' may have
 * been meant for; or returns false.
 */
bool shape_methods_hint(struct tsl_error *err, const char *operand);

/*
 * shape_methods_parse() reads operands[0, n), the first a method's name, as a
 * chain.
 *
 * Returns TSL_OK; TSL_EUSAGE; TSL_ESYNTAX, TSL_EOVERFLOW, TSL_ERANK_LIMIT for
 * arguments.
 */
enum tsl_status TSL_MUST_USE shape_methods_parse(struct chain *chain,
						 char *const *operands, int n,
						 struct tsl_error *err);

/* shape_methods_result() is what kind of value the chain makes of a shape. */
enum value_kind shape_methods_result(const struct chain *chain);

/* shape_methods_apply() applies the chain to a value that is a shape. */
enum tsl_status TSL_MUST_USE shape_methods_apply(const struct chain *chain,
						 struct value *value,
						 struct tsl_error *err);

#endif /* CLI_SHAPE_METHODS_H */
