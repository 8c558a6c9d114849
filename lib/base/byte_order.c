/*
 * byte_order.c - elements turned from one byte order to another
 *
 * A type's text is compiled to a few steps, which are then done for each
 * element.  What holds nothing to do is one step over it and what has no size
 * none at all, so that the work is bounded by the bytes there are.
 */
#include "byte_order.h"

#include "ascii.h"

#include <float.h>
#include <stdlib.h>
#include <string.h>

/* Of a long double of x86 so many bytes are padding. */
#define LONG_DOUBLE 16
#define LONG_PADDING (LDBL_MANT_DIG == 64 ? 6 : 0)

struct tsl_step {
	int64_t count; /* of numbers, or how often; bytes to pass over */
	int64_t unit; /* bytes of a number; 0: none are turned */
	int64_t nsteps; /* that follow, and are done 'count' times */
	bool clears; /* zeros go over the bytes, or the number's padding */
	bool turns;
	bool pads_first; /* the padding is in front */
};

/*
 * The texts of both types differ in byte order marks only: one cursor is at
 * the same place in both.  They are npyio's, and so known to be well formed.
 */
struct compiler {
	const char *from, *to;
	size_t pos;
	bool clears; /* what belongs to no element */
	struct tsl_step *steps;
	size_t nsteps, cap;
	bool failed; /* no memory */
};

/* What a part of a type comes to. */
struct part {
	int64_t nbytes;
	bool acts; /* there is something to do */
	bool is_void; /* bytes without a meaning */
	bool is_array;
};

static void
emit(struct compiler *c, struct tsl_step step)
{
	if (c->nsteps == c->cap && !c->failed) {
		size_t cap = c->cap ? 2 * c->cap : 16;
		struct tsl_step *steps =
			realloc(c->steps, cap * sizeof(*steps));

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
skip_string(struct compiler *c)
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
	char kind = c->from[c->pos + 1];
	struct tsl_step step = { .turns = c->from[c->pos] != c->to[c->pos],
				 .pads_first = c->to[c->pos] == '>' };
	struct part part = { .is_void = kind == 'V' };

	c->pos += 2;
	part.nbytes = take_number(c) * (kind == 'U' ? 4 : 1);
	step.unit = kind == 'U'   ? 4
		    : kind == 'c' ? part.nbytes / 2
				  : part.nbytes;
	step.clears = c->clears && (kind == 'f' || kind == 'c') &&
		      step.unit == LONG_DOUBLE && LONG_PADDING > 0;
	part.acts = part.nbytes > 0 && (step.turns || step.clears);
	if (part.acts) {
		step.count = part.nbytes / step.unit;
		emit(c, step);
	} else if (part.nbytes > 0) {
		emit(c, (struct tsl_step){ .count = part.nbytes });
	}
	c->pos = start;
	skip_string(c);
	return part;
}

static struct part compile_type(struct compiler *c);

/* 'name' or ('title', 'name'); returns whether the name is empty. */
static bool
skip_names(struct compiler *c)
{
	size_t start;

	if (c->from[c->pos] != '(') {
		start = c->pos;
		skip_string(c);
		return c->pos == start + 2;
	}
	c->pos++;
	skip_string(c);
	c->pos += strlen(", ");
	start = c->pos;
	skip_string(c);
	return c->pos++ == start + 2;
}

/* ", (2, 3)", if it is there: the product. */
static int64_t
take_subshape(struct compiler *c)
{
	int64_t n = 1;

	for (c->pos += strlen(", ("); c->from[c->pos] != ')';) {
		if (tsl_is_digit(c->from[c->pos]))
			n *= take_number(c);
		else
			c->pos++;
	}
	c->pos++;
	return n;
}

/* What stands from step 'first' on becomes one step over 'nbytes'. */
static void
replace(struct compiler *c, size_t first, int64_t nbytes, bool clears)
{
	c->nsteps = first;
	if (nbytes > 0)
		emit(c, (struct tsl_step){ .count = nbytes, .clears = clears });
}

/* A type, and perhaps the shape of an array of it, in brackets. */
static struct part
compile_array(struct compiler *c)
{
	size_t first = c->nsteps;
	struct part part;
	int64_t times = 1;

	emit(c, (struct tsl_step){ .count = 1 });
	part = compile_type(c);
	part.is_array = c->from[c->pos] == ',';
	if (part.is_array)
		times = take_subshape(c);
	c->pos++;
	part.nbytes *= times;
	if (c->failed)
		return part;
	if (part.nbytes > 0 && part.acts) {
		c->steps[first].count = times;
		c->steps[first].nsteps = (int64_t)(c->nsteps - first) - 1;
		return part;
	}
	replace(c, first, part.nbytes, false);
	part.acts = false;
	return part;
}

/* What has no name and no fields is padding. */
static struct part
compile_field(struct compiler *c)
{
	size_t first = c->nsteps;
	struct part part;
	bool nameless;

	c->pos++;
	nameless = skip_names(c);
	c->pos += strlen(", ");
	part = compile_array(c);
	if (!c->clears || !nameless || !(part.is_void || part.is_array) ||
	    c->failed)
		return part;
	replace(c, first, part.nbytes, true);
	part.acts = part.nbytes > 0;
	return part;
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
		all.acts |= part.acts;
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

static void
do_number(const struct tsl_step *s, char *bytes)
{
	if (s->turns)
		turn(bytes, s->unit);
	if (s->clears)
		memset(bytes + (s->pads_first ? 0 : s->unit - LONG_PADDING), 0,
		       LONG_PADDING);
}

/* Returns where the element ends. */
static char *
apply(const struct tsl_step *steps, int64_t nsteps, char *bytes)
{
	for (int64_t i = 0; i < nsteps; i++) {
		const struct tsl_step *s = &steps[i];

		if (s->nsteps == 0 && s->unit == 0) {
			if (s->clears)
				memset(bytes, 0, (size_t)s->count);
			bytes += s->count;
			continue;
		}
		for (int64_t k = 0; k < s->count; k++) {
			if (s->nsteps > 0) {
				bytes = apply(s + 1, s->nsteps, bytes);
			} else {
				do_number(s, bytes);
				bytes += s->unit;
			}
		}
		i += s->nsteps;
	}
	return bytes;
}

/*
 * Numbers that are 'stride' bytes apart, 'count' side by side in each place, of
 * n places: one loop for each size.
 */
typedef void turn_numbers(char *bytes, int64_t stride, int64_t n,
			  int64_t count);

#define TURN(name, word, swap)                                                \
	static void name(char *bytes, int64_t stride, int64_t n,              \
			 int64_t count)                                       \
	{                                                                     \
		for (int64_t i = 0; i < n; i++, bytes += stride)              \
			for (int64_t k = 0; k < count; k++) {                 \
				char *at = bytes + k * (int64_t)sizeof(word); \
				word v;                                       \
                                                                              \
				memcpy(&v, at, sizeof(v));                    \
				v = swap(v);                                  \
				memcpy(at, &v, sizeof(v));                    \
			}                                                     \
	}

TURN(turn_2, uint16_t, __builtin_bswap16)
TURN(turn_4, uint32_t, __builtin_bswap32)
TURN(turn_8, uint64_t, __builtin_bswap64)

static turn_numbers *
turn_for(int64_t unit)
{
	return unit == 2   ? turn_2
	       : unit == 4 ? turn_4
	       : unit == 8 ? turn_8
			   : NULL;
}

/*
 * The next of the steps that is no list of others, and how many numbers it is
 * of: a list of one is that one, as often.  False where it is of more.
 */
static bool
next_flat(const struct tsl_turner *t, int64_t *i, const struct tsl_step **step,
	  int64_t *count)
{
	*count = 1;
	while (t->steps[*i].nsteps > 0) {
		if (t->steps[*i].nsteps > 1 && t->steps[*i].count != 1)
			return false;
		*count *= t->steps[(*i)++].count;
	}
	*step = &t->steps[(*i)++];
	*count *= (*step)->count;
	return !(*step)->clears &&
	       ((*step)->unit == 0 || turn_for((*step)->unit));
}

/* The bytes of an element that is so many numbers side by side; or 0. */
static int64_t
flat_size(const struct tsl_turner *t)
{
	const struct tsl_step *step;
	int64_t size = 0;
	int64_t count;

	for (int64_t i = 0; i < t->nsteps;) {
		if (!next_flat(t, &i, &step, &count))
			return 0;
		size += count * (step->unit > 0 ? step->unit : 1);
	}
	return size;
}

/* So many bytes stay in the first cache. */
#define COLUMNS_NBYTES (16 * 1024)

/* Number by number, each of many elements. */
static void
turn_columns(const struct tsl_turner *t, char *bytes, int64_t n)
{
	const struct tsl_step *step;
	int64_t count;

	for (int64_t i = 0; i < t->nsteps;) {
		(void)next_flat(t, &i, &step, &count);
		if (step->unit > 0)
			turn_for(step->unit)(bytes, t->size, n, count);
		bytes += count * (step->unit > 0 ? step->unit : 1);
	}
}

/* ---- for those who have elements to turn --------------------------------- */

enum tsl_status
tsl_turner_init(struct tsl_turner *t, const struct tsl_dtype *from,
		const struct tsl_dtype *to, bool clears, struct tsl_error *err)
{
	struct compiler c = { .from = from->descr,
			      .to = to->descr,
			      .clears = clears };
	struct part all = compile_type(&c);

	*t = (struct tsl_turner){ .steps = c.steps,
				  .nsteps = (int64_t)c.nsteps,
				  .acts = all.acts };
	if (c.failed)
		return tsl_no_memory(err);
	if (c.nsteps == 1 && all.acts && !c.steps->clears)
		t->unit = c.steps->unit;
	if (all.acts)
		t->size = flat_size(t);
	return TSL_OK;
}

void
tsl_turner_free(struct tsl_turner *t)
{
	free(t->steps);
	t->steps = NULL;
}

void
tsl_turner_run(const struct tsl_turner *t, char *bytes, int64_t n)
{
	int64_t most = t->size > 0 ? COLUMNS_NBYTES / t->size + 1 : 0;

	if (!t->acts)
		return;
	if (t->size > 0 && turn_for(t->unit)) {
		turn_for(t->unit)(bytes, 0, 1, n * t->steps->count);
		return;
	}
	for (; t->size > 0 && n > 0; n -= most, bytes += most * t->size)
		turn_columns(t, bytes, n < most ? n : most);
	for (; n > 0; n--)
		bytes = apply(t->steps, t->nsteps, bytes);
}

enum tsl_status
tsl_byte_order_convert(char *bytes, int64_t n, const struct tsl_dtype *from,
		       const struct tsl_dtype *to, struct tsl_error *err)
{
	struct tsl_turner t;
	enum tsl_status status = tsl_turner_init(&t, from, to, false, err);

	if (!status)
		tsl_turner_run(&t, bytes, n);
	tsl_turner_free(&t);
	return status;
}
