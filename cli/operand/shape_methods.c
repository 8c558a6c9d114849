/*
 * shape_methods.c - tshape's methods: a chain of them, and what each does
 */
#include "shape_methods.h"

#include "cli/option/hint.h"
#include "lib/base/integer.h"

#include <string.h>

enum argument { NO_ARGUMENT, ONE_NUMBER, TWO_NUMBERS, ONE_SHAPE };

struct method {
	const char *name;
	enum argument argument;
	enum value_kind result;
	/* 'v' is a shape, and gets the result */
	enum tsl_status (*apply)(struct value *v, const struct step *step,
				 struct tsl_error *err);
	int rank; /* that is_rank() asks for */
};

/* ---- shape to shape ------------------------------------------------------ */

static enum tsl_status
head(struct value *v, const struct step *step, struct tsl_error *err)
{
	(void)step;
	return tsl_shape_head(&v->shape, &v->shape, err);
}

static enum tsl_status
tail(struct value *v, const struct step *step, struct tsl_error *err)
{
	(void)step;
	return tsl_shape_tail(&v->shape, &v->shape, err);
}

static enum tsl_status
take(struct value *v, const struct step *step, struct tsl_error *err)
{
	return tsl_shape_take(&v->shape, &v->shape, step->number[0], err);
}

static enum tsl_status
take_last(struct value *v, const struct step *step, struct tsl_error *err)
{
	return tsl_shape_take_last(&v->shape, &v->shape, step->number[0], err);
}

static enum tsl_status
sub(struct value *v, const struct step *step, struct tsl_error *err)
{
	return tsl_shape_sub(&v->shape, &v->shape, step->number[0],
			     step->number[1], err);
}

static enum tsl_status
append(struct value *v, const struct step *step, struct tsl_error *err)
{
	return tsl_shape_join(&v->shape, &v->shape, &step->shape, err);
}

static enum tsl_status
prepend(struct value *v, const struct step *step, struct tsl_error *err)
{
	return tsl_shape_join(&v->shape, &step->shape, &v->shape, err);
}

/* ---- shape to number ----------------------------------------------------- */

static enum tsl_status
ndim(struct value *v, const struct step *step, struct tsl_error *err)
{
	(void)step;
	(void)err;
	v->number = v->shape.ndim;
	return TSL_OK;
}

static enum tsl_status
size(struct value *v, const struct step *step, struct tsl_error *err)
{
	(void)step;
	return tsl_shape_size(&v->shape, &v->number, err);
}

static enum tsl_status
dim(struct value *v, const struct step *step, struct tsl_error *err)
{
	return tsl_shape_dim(&v->shape, step->number[0], &v->number, err);
}

static enum tsl_status
nbytes(struct value *v, const struct step *step, struct tsl_error *err)
{
	(void)step;
	(void)err;
	v->number = v->array ? tsl_array_nbytes(v->array) : TSL_UNKNOWN;
	return TSL_OK;
}

/* What is shown is the array's, which the value has already. */
static enum tsl_status
dtype(struct value *v, const struct step *step, struct tsl_error *err)
{
	(void)v;
	(void)step;
	(void)err;
	return TSL_OK;
}

/* ---- questions ----------------------------------------------------------- */

static enum tsl_status
is_rank(struct value *v, const struct step *step, struct tsl_error *err)
{
	(void)err;
	v->answer = v->shape.ndim == step->method->rank;
	return TSL_OK;
}

static enum tsl_status
has_unknown(struct value *v, const struct step *step, struct tsl_error *err)
{
	(void)step;
	(void)err;
	v->answer = tsl_shape_has_unknown(&v->shape);
	return TSL_OK;
}

static enum tsl_status
equals(struct value *v, const struct step *step, struct tsl_error *err)
{
	(void)err;
	v->answer = tsl_shape_equals(&v->shape, &step->shape);
	return TSL_OK;
}

static enum tsl_status
compatible(struct value *v, const struct step *step, struct tsl_error *err)
{
	(void)err;
	v->answer = tsl_shape_is_compatible(&v->shape, &step->shape);
	return TSL_OK;
}

/* ---- chains -------------------------------------------------------------- */

static const struct method methods[] = {
	{ "head", NO_ARGUMENT, VALUE_SHAPE, head, 0 },
	{ "tail", NO_ARGUMENT, VALUE_SHAPE, tail, 0 },
	{ "take", ONE_NUMBER, VALUE_SHAPE, take, 0 },
	{ "take-last", ONE_NUMBER, VALUE_SHAPE, take_last, 0 },
	{ "sub", TWO_NUMBERS, VALUE_SHAPE, sub, 0 },
	{ "append", ONE_SHAPE, VALUE_SHAPE, append, 0 },
	{ "prepend", ONE_SHAPE, VALUE_SHAPE, prepend, 0 },
	{ "ndim", NO_ARGUMENT, VALUE_NUMBER, ndim, 0 },
	{ "size", NO_ARGUMENT, VALUE_NUMBER, size, 0 },
	{ "dim", ONE_NUMBER, VALUE_NUMBER, dim, 0 },
	{ "nbytes", NO_ARGUMENT, VALUE_NUMBER, nbytes, 0 },
	{ "dtype", NO_ARGUMENT, VALUE_DTYPE, dtype, 0 },
	{ "is-scalar", NO_ARGUMENT, VALUE_ANSWER, is_rank, 0 },
	{ "is-vector", NO_ARGUMENT, VALUE_ANSWER, is_rank, 1 },
	{ "is-matrix", NO_ARGUMENT, VALUE_ANSWER, is_rank, 2 },
	{ "is-unknown", NO_ARGUMENT, VALUE_ANSWER, is_rank, TSL_UNKNOWN },
	{ "has-unknown", NO_ARGUMENT, VALUE_ANSWER, has_unknown, 0 },
	{ "equals", ONE_SHAPE, VALUE_ANSWER, equals, 0 },
	{ "compatible", ONE_SHAPE, VALUE_ANSWER, compatible, 0 },
};

#define NMETHODS (sizeof(methods) / sizeof(methods[0]))

static const struct method *
find(const char *name)
{
	for (size_t i = 0; i < NMETHODS; i++)
		if (strcmp(methods[i].name, name) == 0)
			return &methods[i];
	return NULL;
}

bool
shape_methods_is_name(const char *operand)
{
	return find(operand) != NULL;
}

const char *
shape_methods_name(int i)
{
	return (size_t)i < NMETHODS ? methods[i].name : NULL;
}

bool
shape_methods_hint(struct tsl_error *err, const char *operand)
{
	const char *names[NMETHODS];

	for (size_t i = 0; i < NMETHODS; i++)
		names[i] = methods[i].name;
	return hint_name(err, "", operand, names, NMETHODS);
}

static enum tsl_status
no_method(const char *operand, struct tsl_error *err)
{
	enum tsl_status status =
		tsl_fail(err, TSL_EUSAGE, "no method '%s'", operand);

	if (!shape_methods_hint(err, operand))
		hint_help(err);
	return status;
}

static enum tsl_status
parse_number(struct step *step, int which, const char *text,
	     struct tsl_error *err)
{
	enum tsl_status status =
		tsl_parse_int64(text, strlen(text), &step->number[which]);

	if (status)
		return tsl_fail(
			err, status, "%s: '%s' %s", step->method->name, text,
			status == TSL_EOVERFLOW ? "does not fit in int64"
						: "is not an integer");
	return TSL_OK;
}

static enum tsl_status
parse_arguments(struct step *step, char *const *arguments,
		struct tsl_error *err)
{
	enum tsl_status status = TSL_OK;

	switch (step->method->argument) {
	case NO_ARGUMENT:
		break;
	case TWO_NUMBERS:
		status = parse_number(step, 1, arguments[1], err);
		if (status)
			break;
		/* fallthrough */
	case ONE_NUMBER:
		status = parse_number(step, 0, arguments[0], err);
		break;
	case ONE_SHAPE:
		status = tsl_shape_parse(&step->shape, arguments[0],
					 strlen(arguments[0]), err);
		break;
	}
	return status;
}

static int
count_arguments(const struct method *method)
{
	return method->argument == TWO_NUMBERS
		       ? 2
		       : method->argument != NO_ARGUMENT;
}

enum tsl_status
shape_methods_parse(struct chain *chain, char *const *operands, int n,
		    struct tsl_error *err)
{
	enum tsl_status status = TSL_OK;

	chain->n = 0;
	for (int i = 0; i < n && !status;) {
		const struct method *method = find(operands[i]);
		struct step *step = &chain->step[chain->n];
		int wanted;

		if (!method)
			return no_method(operands[i], err);
		if (chain->n == METHODS_MAX)
			return tsl_fail(err, TSL_EUSAGE, "more than %d methods",
					METHODS_MAX);
		if (chain->n > 0 && step[-1].method->result != VALUE_SHAPE)
			return tsl_fail(err, TSL_EUSAGE,
					"%s cannot follow %s, which gives no "
					"shape",
					method->name, step[-1].method->name);
		wanted = count_arguments(method);
		if (n - i - 1 < wanted)
			return tsl_fail(err, TSL_EUSAGE,
					"%s needs %d argument%s", method->name,
					wanted, wanted == 1 ? "" : "s");
		*step = (struct step){ .method = method };
		chain->n++;
		status = parse_arguments(step, operands + i + 1, err);
		i += 1 + wanted;
	}
	return status;
}

enum value_kind
shape_methods_result(const struct chain *chain)
{
	return chain->n > 0 ? chain->step[chain->n - 1].method->result
			    : VALUE_SHAPE;
}

enum tsl_status
shape_methods_apply(const struct chain *chain, struct value *value,
		    struct tsl_error *err)
{
	enum tsl_status status = TSL_OK;

	for (int i = 0; i < chain->n && !status; i++) {
		const struct step *step = &chain->step[i];

		status = step->method->apply(value, step, err);
		value->kind = step->method->result;
		/* Of what it is now, a file says nothing. */
		if (value->kind == VALUE_SHAPE)
			value->array = NULL;
	}
	return status;
}
