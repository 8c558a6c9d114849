/*
 * test_pair.c - elements of one array, and their places in another
 *
 * Random pairs against loops that go through them element by element.
 */
#include "check.h"

#include "lib/view/pair.h"

#define MAX_BYTES 4096
#define ROUNDS 20000

static unsigned long long seed = 20261122;

static int64_t
draw(int64_t n)
{
	seed = seed * 6364136223846793005ULL + 1442695040888963407ULL;
	return (int64_t)(seed >> 33) % n;
}

/* An array, a slice of it as the places, and any strides to come from. */
struct example {
	struct tsl_pair p;
	int64_t in, out; /* bytes of the two arrays */
};

static void
draw_places(struct example *x, int ndim, int64_t width)
{
	struct tsl_view *to = &x->p.to;
	int order[4] = { 0, 1, 2, 3 };

	*to = (struct tsl_view){ .width = width, .ndim = ndim };
	x->out = width;
	for (int i = ndim - 1; i > 0; i--) {
		int j = (int)draw(i + 1), t = order[i];

		order[i] = order[j];
		order[j] = t;
	}
	for (int i = 0; i < ndim; i++) {
		int d = order[i];
		int64_t step = 1 + draw(3);
		int64_t begin = draw(2);

		to->dim[d] = 1 + draw(5);
		to->stride[d] = step * x->out;
		to->offset += begin * x->out;
		x->out *= begin + (to->dim[d] - 1) * step + 1 + draw(2);
		if (draw(3) == 0) {
			to->offset += (to->dim[d] - 1) * to->stride[d];
			to->stride[d] = -to->stride[d];
		}
	}
}

static void
draw_sources(struct example *x)
{
	struct tsl_view *from = &x->p.from;

	*from = x->p.to;
	from->offset = 0;
	x->in = from->width;
	for (int d = from->ndim - 1; d >= 0; d--) {
		from->stride[d] = draw(3) == 0 ? 0 : x->in;
		if (from->stride[d])
			x->in *= from->dim[d];
		if (draw(3) == 0) {
			from->offset += (from->dim[d] - 1) * from->stride[d];
			from->stride[d] = -from->stride[d];
		}
	}
}

static bool
draw_example(struct example *x)
{
	static const int64_t widths[] = { 1, 2, 3, 4, 8, 12, 16 };

	draw_places(x, (int)draw(5), widths[draw(7)]);
	draw_sources(x);
	return x->in <= MAX_BYTES && x->out <= MAX_BYTES;
}

/* Calls once with the place of each element, and where it comes from. */
static void
each(const struct tsl_pair *p, void (*once)(void *, int64_t, int64_t),
     void *with)
{
	for (int64_t i = 0; i < tsl_view_count(&p->to); i++) {
		int64_t from = p->from.offset, to = p->to.offset, left = i;

		for (int d = p->to.ndim - 1; d >= 0; d--) {
			from += left % p->to.dim[d] * p->from.stride[d];
			to += left % p->to.dim[d] * p->to.stride[d];
			left /= p->to.dim[d];
		}
		once(with, from, to);
	}
}

struct bytes {
	const char *in;
	char *out;
	int64_t width;
};

static void
move(void *with, int64_t from, int64_t to)
{
	struct bytes *b = with;

	memcpy(b->out + to, b->in + from, (size_t)b->width);
}

/* Exactly as large as it has to be: what is beyond is noticed by ASan. */
static char *
bytes_new(int64_t n, bool noise)
{
	char *bytes = malloc((size_t)n);

	for (int64_t i = 0; i < n; i++)
		bytes[i] = (char)(noise ? draw(255) + 1 : 0);
	return bytes;
}

/* In boxes of random parts of the elements, some of them halved. */
static void
copy_in_parts(const struct tsl_pair *p, const char *in, char *out)
{
	int64_t n = tsl_view_count(&p->to);
	int64_t done = 0;

	while (done < n) {
		struct tsl_pair box, half[2];
		int64_t some = 1 + draw(n - done);

		some = tsl_pair_head(p, done, some, &box);
		if (some > 1 && draw(2)) {
			tsl_pair_halve(&box, draw(2) ? &box.from : &box.to,
				       half);
			tsl_pair_copy(&half[1], in, 0, out, 0);
			box = half[0];
		}
		tsl_pair_copy(&box, in, 0, out, 0);
		done += some;
	}
}

static void
test_copies_every_element_and_no_other_byte(void)
{
	for (int i = 0; i < ROUNDS; i++) {
		struct example x;
		struct tsl_pair settled;
		struct bytes b;
		char *got, *in;

		if (!draw_example(&x))
			continue;
		in = bytes_new(x.in, true);
		b = (struct bytes){ in, bytes_new(x.out, false), x.p.to.width };
		got = bytes_new(x.out, false);
		each(&x.p, move, &b);
		settled = x.p;
		tsl_pair_settle(&settled);
		if (i % 2)
			tsl_pair_copy(&settled, in, 0, got, 0);
		else
			copy_in_parts(&settled, in, got);
		CHECK(memcmp(got, b.out, (size_t)x.out) == 0, "round %d", i);
		free(in);
		free(got);
		free(b.out);
	}
}

struct count {
	int64_t offset, n;
};

static void
count_before(void *with, int64_t from, int64_t to)
{
	struct count *c = with;

	(void)from;
	c->n += to < c->offset;
}

static void
test_counts_what_lies_before_an_offset(void)
{
	for (int i = 0; i < ROUNDS; i++) {
		struct example x;
		struct count c = { 0, 0 };

		if (!draw_example(&x))
			continue;
		tsl_pair_settle(&x.p);
		c.offset = draw(x.out + 2);
		each(&x.p, count_before, &c);
		CHECK_EQ(tsl_pair_before(&x.p, c.offset), c.n);
	}
}

static void
test_settled_pairs_go_forward(void)
{
	for (int i = 0; i < ROUNDS; i++) {
		struct example x;

		if (!draw_example(&x))
			continue;
		tsl_pair_settle(&x.p);
		CHECK(tsl_view_is_forward(&x.p.to), "round %d", i);
	}
}

int
main(void)
{
	RUN(test_copies_every_element_and_no_other_byte);
	RUN(test_counts_what_lies_before_an_offset);
	RUN(test_settled_pairs_go_forward);
	return check_done();
}
