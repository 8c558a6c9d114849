/*
 * byte_order.c - elements turned from one byte order to another
 *
 * A type's text is compiled to a few steps, which are then done for each
 * element.  What holds nothing to turn is one step over it and what has no
 * size none at all, so that the work is bounded by the bytes there are.
 */
#include "byte_order.h"

#include "ascii.h"

#include <stdlib.h>
#include <string.h>

struct step {
	int64_t count; /* of numbers, or how often; bytes to pass over */
	int64_t unit; /* bytes of a number; 0: none are turned */
	int64_t nsteps; /* that follow, and are done 'count' times */
};

/*
 * The texts of both types differ in byte order marks only: one cursor is at
 * the same place in both.  They are npyio's, and so known to be well formed.
 */
struct compiler {
	const char *from, *to;
	size_t pos;
	struct step *steps;
	size_t nsteps, cap;
	bool failed; /* no memory */
};

/* What a part of a type comes to. */
struct part {
	int64_t nbytes;
	bool turns;
};

static void
emit(struct compiler *c, struct step step)
{
	if (c->nsteps == c->cap && !c->failed) {
		size_t cap = c->cap ? 2 * c->cap : 16;
		struct step *steps = realloc(c->steps, cap * sizeof(*steps));

		c->failed = !steps;
		if (steps) {
			c->steps = steps;
			c->cap = cap;
		}
	}
	if (!c->failed)
		c->steps[c->nsteps++] = step;
}

static int64_t
take_number(struct compiler *c)
{
	int64_t n = 0;

	while (tsl_is_digit(c->from[c->pos]))
		n = 10 * n + (c->from[c->pos++] - '0');
	return n;
}

/* A string of any kind, with its quotes. */
static void
pass_string(struct compiler *c)
{
	char quote = c->from[c->pos++];

	while (c->from[c->pos] != quote)
		c->pos += c->from[c->pos] == '\\' ? 2 : 1;
	c->pos++;
}

/* '<f4': a mark, a kind and a number. */
static struct part
compile_string(struct compiler *c)
{
	size_t start = c->pos++;
	bool turns = c->from[c->pos] != c->to[c->pos];
	char kind = c->from[c->pos + 1];
	struct part part = { .turns = turns };
	int64_t unit;

	c->pos += 2;
	part.nbytes = take_number(c) * (kind == 'U' ? 4 : 1);
	unit = kind == 'U' ? 4 : kind == 'c' ? part.nbytes / 2 : part.nbytes;
	if (part.nbytes == 0)
		part.turns = false;
	else if (turns)
		emit(c, (struct step){ part.nbytes / unit, unit, 0 });
	else
		emit(c, (struct step){ part.nbytes, 0, 0 });
	c->pos = start;
	pass_string(c);
	return part;
}

static struct part compile_type(struct compiler *c);

/* 'name' or ('title', 'name'). */
static void
pass_names(struct compiler *c)
{
	if (c->from[c->pos] != '(') {
		pass_string(c);
		return;
	}
	c->pos++;
	pass_string(c);
	c->pos += strlen(", ");
	pass_string(c);
	c->pos++;
}

/* ", (2, 3)", if it is there: the product. */
static int64_t
take_subshape(struct compiler *c)
{
	int64_t n = 1;

	if (c->from[c->pos] != ',')
		return 1;
	c->pos += strlen(", ");
	for (c->pos++; c->from[c->pos] != ')';) {
		if (tsl_is_digit(c->from[c->pos]))
			n *= take_number(c);
		else
			c->pos++;
	}
	c->pos++;
	return n;
}

/* A type, and perhaps the shape of an array of it, in brackets. */
static struct part
compile_array(struct compiler *c)
{
	size_t first = c->nsteps;
	struct part part;
	int64_t times;

	emit(c, (struct step){ .count = 1 });
	part = compile_type(c);
	times = take_subshape(c);
	c->pos++;
	part.nbytes *= times;
	if (c->failed)
		return part;
	if (part.nbytes > 0 && part.turns) {
		c->steps[first].count = times;
		c->steps[first].nsteps = (int64_t)(c->nsteps - first) - 1;
		return part;
	}
	c->nsteps = first;
	part.turns = false;
	if (part.nbytes > 0)
		emit(c, (struct step){ .count = part.nbytes });
	return part;
}

static struct part
compile_field(struct compiler *c)
{
	c->pos++;
	pass_names(c);
	c->pos += strlen(", ");
	return compile_array(c);
}

static struct part
compile_type(struct compiler *c)
{
	struct part all = { 0 };

	if (c->from[c->pos] == '(') {
		c->pos++;
		return compile_array(c);
	}
	if (c->from[c->pos] != '[')
		return compile_string(c);
	for (c->pos++; c->from[c->pos] != ']';) {
		struct part part = { 0 };

		if (c->from[c->pos] == '(')
			part = compile_field(c);
		else
			c->pos++;
		all.nbytes += part.nbytes;
		all.turns |= part.turns;
	}
	c->pos++;
	return all;
}

static void
turn(char *bytes, int64_t unit)
{
	for (int64_t i = 0, j = unit - 1; i < j; i++, j--) {
		char t = bytes[i];

		bytes[i] = bytes[j];
		bytes[j] = t;
	}
}

/* Returns where the element ends. */
static char *
apply(const struct step *steps, int64_t nsteps, char *bytes)
{
	for (int64_t i = 0; i < nsteps; i++) {
		const struct step *s = &steps[i];

		if (s->nsteps == 0 && s->unit == 0) {
			bytes += s->count;
			continue;
		}
		for (int64_t k = 0; k < s->count; k++) {
			if (s->nsteps > 0) {
				bytes = apply(s + 1, s->nsteps, bytes);
			} else {
				turn(bytes, s->unit);
				bytes += s->unit;
			}
		}
		i += s->nsteps;
	}
	return bytes;
}

enum tsl_status
tsl_byte_order_convert(char *bytes, int64_t n, const struct tsl_dtype *from,
		       const struct tsl_dtype *to, struct tsl_error *err)
{
	struct compiler c = { .from = from->descr, .to = to->descr };
	struct part all = compile_type(&c);

	if (!c.failed && all.turns)
		for (int64_t i = 0; i < n; i++)
			bytes = apply(c.steps, (int64_t)c.nsteps, bytes);
	free(c.steps);
	return c.failed ? tsl_fail(err, TSL_EMEMORY, "out of memory") : TSL_OK;
}
