/*
 * fuzz_slice.c - any text as a slice, applied to a small array
 *
 * Properties: what compiles is printed as a slice that compiles to the same
 * encoding; it resolves to the elements that a slow model picks, one by one;
 * and the job that comes of it puts these into its output, from the bytes that
 * it says it needs.
 */
#include "fuzz.h"
#include "lib/tslice.h"
#include "lib/view/walk.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define MAX_DIM 7

/* ---- the slice printed back ---------------------------------------------- */

static int
print_bound(char *s, bool masked, int64_t value)
{
	return masked ? 0 : sprintf(s, "%" PRId64, value);
}

static int
print_item(char *s, const struct tsl_encoding *e, int i)
{
	char *start = s;

	switch (tsl_encoding_kind(e, i)) {
	case TSL_ITEM_ELLIPSIS:
		return sprintf(s, "...");
	case TSL_ITEM_NEWAXIS:
		return sprintf(s, "None");
	case TSL_ITEM_INDEX:
		return sprintf(s, "%" PRId64, e->begin[i]);
	default:
		s += print_bound(s, e->begin_mask >> i & 1, e->begin[i]);
		*s++ = ':';
		s += print_bound(s, e->end_mask >> i & 1, e->end[i]);
		s += sprintf(s, ":%" PRId64, e->strides[i]);
		return (int)(s - start);
	}
}

static void
check_printed(const struct tsl_encoding *e)
{
	char text[TSL_MAX_ITEMS * 72 + 1] = "";
	struct tsl_spec spec;
	struct tsl_encoding again;
	size_t len = 0;

	for (int i = 0; i < e->nitems; i++) {
		len += (size_t)print_item(text + len, e, i);
		text[len++] = ',';
	}
	must(tsl_parse(&spec, text, len, NULL) == TSL_OK);
	must(tsl_encode(&again, &spec, NULL) == TSL_OK);
	must(again.nitems == e->nitems && again.begin_mask == e->begin_mask &&
	     again.end_mask == e->end_mask &&
	     again.ellipsis_mask == e->ellipsis_mask &&
	     again.new_axis_mask == e->new_axis_mask &&
	     again.shrink_axis_mask == e->shrink_axis_mask);
	for (int i = 0; i < e->nitems; i++)
		must(again.begin[i] == e->begin[i] &&
		     again.end[i] == e->end[i] &&
		     again.strides[i] == e->strides[i]);
}

/* ---- the slow model ------------------------------------------------------ */

/* The elements of one axis of the input that are picked; -1: a new axis. */
struct picks {
	bool kept; /* as an axis of the output */
	int source;
	int n;
	int64_t at[MAX_DIM];
};

struct model {
	bool refused;
	int n;
	struct picks axis[TSL_MAX_ITEMS + 8];
};

/* Python's rule for a bound that is given. */
static __int128
bound(int64_t value, int64_t dim, bool down)
{
	__int128 v = value < 0 ? (__int128)value + dim : value;

	if (v < 0)
		return down ? -1 : 0;
	return v < dim ? v : down ? dim - 1 : dim;
}

static void
pick_range(struct picks *p, const struct tsl_encoding *e, int i, int64_t dim)
{
	__int128 step = e->strides[i];
	bool down = step < 0;
	__int128 begin = e->begin_mask >> i & 1 ? (down ? dim - 1 : 0)
						: bound(e->begin[i], dim, down);
	__int128 end = e->end_mask >> i & 1 ? (down ? -1 : dim)
					    : bound(e->end[i], dim, down);

	for (__int128 x = begin; down ? x > end : x < end; x += step)
		p->at[p->n++] = (int64_t)x;
}

static void
pick_all(struct model *m, int source, int64_t dim)
{
	struct picks *p = &m->axis[m->n++];

	*p = (struct picks){ .kept = true, .source = source };
	while (p->n < dim) {
		p->at[p->n] = p->n;
		p->n++;
	}
}

static void
pick_one(struct model *m, struct picks *p, int64_t index, int64_t dim)
{
	*p = (struct picks){ .source = p->source, .n = 1 };
	p->at[0] = index < 0 ? index + dim : index;
	if (p->at[0] < 0 || p->at[0] >= dim)
		m->refused = true;
}

static int
count_taken(const struct tsl_encoding *e)
{
	int n = 0;

	for (int i = 0; i < e->nitems; i++) {
		enum tsl_item_kind kind = tsl_encoding_kind(e, i);

		n += kind == TSL_ITEM_INDEX || kind == TSL_ITEM_RANGE;
	}
	return n;
}

static void
model_of(struct model *m, const struct tsl_encoding *e,
	 const struct tsl_array *a)
{
	int hidden = a->ndim - count_taken(e);
	int source = 0;

	*m = (struct model){ .refused = hidden < 0 };
	for (int i = 0; i < e->nitems && !m->refused; i++) {
		enum tsl_item_kind kind = tsl_encoding_kind(e, i);
		struct picks *p = &m->axis[m->n];

		if (kind == TSL_ITEM_ELLIPSIS) {
			for (; hidden > 0; hidden--, source++)
				pick_all(m, source, a->dim[source]);
			continue;
		}
		m->n++;
		*p = (struct picks){ .kept = true, .source = source };
		if (kind == TSL_ITEM_NEWAXIS) {
			*p = (struct picks){ true, -1, 1, { 0 } };
			continue;
		}
		if (kind == TSL_ITEM_INDEX)
			pick_one(m, p, e->begin[i], a->dim[source]);
		else
			pick_range(p, e, i, a->dim[source]);
		source++;
	}
	for (; hidden > 0 && !m->refused; hidden--, source++)
		pick_all(m, source, a->dim[source]);
}

/* Where element number 'n' of the output comes from: bytes. */
static int64_t
source_of(const struct model *m, const struct tsl_job *job, int64_t n)
{
	const struct tsl_array *in = &job->in;
	int64_t stride[TSL_MAX_DIMS];
	int64_t from = 0;

	tsl_array_strides(in, stride);
	for (int k = 0; k < m->n; k++) {
		/* the output's fastest axis first */
		int i = job->out.fortran_order ? k : m->n - 1 - k;
		const struct picks *p = &m->axis[i];
		int64_t at = p->at[p->kept ? n % p->n : 0];

		if (p->kept)
			n /= p->n;
		if (p->source >= 0)
			from += at * stride[p->source];
	}
	return from;
}

/* ---- the job ------------------------------------------------------------- */

static void
check_shape(const struct model *m, const struct tsl_array *out)
{
	int ndim = 0;

	for (int i = 0; i < m->n; i++)
		if (m->axis[i].kept)
			must(out->dim[ndim++] == m->axis[i].n);
	must(ndim == out->ndim);
}

static void
check_job(const struct model *m, const struct tsl_job *job)
{
	int64_t width = job->in.dtype.size;
	int64_t stride[TSL_MAX_DIMS + 1];
	int64_t lo, hi;
	char *in, *out;

	check_shape(m, &job->out);
	if (job->nbytes == 0)
		return;
	tsl_view_span(&job->view, &lo, &hi);
	must(lo >= 0 && lo < hi && hi <= tsl_array_nbytes(&job->in));
	in = malloc((size_t)(hi - lo));
	out = malloc((size_t)job->nbytes);
	must(in && out);
	for (int64_t i = lo; i < hi; i++)
		in[i - lo] = (char)(i * 31 + (i >> 8));
	tsl_view_dense(&job->view, stride);
	tsl_view_fill(&job->view, stride, in, lo, out);
	for (int64_t n = 0; n < job->nbytes / width; n++) {
		int64_t from = source_of(m, job, n);

		must(from >= lo && from + width <= hi);
		must(memcmp(out + n * width, in + (from - lo), (size_t)width) ==
		     0);
	}
	free(in);
	free(out);
}

/* The first bytes choose the array: rank, order, width, sizes. */
static size_t
choose_array(struct tsl_array *a, const uint8_t *data, size_t size)
{
	static const int64_t dims[] = { 0, 1, 2, 3, 5, MAX_DIM };
	static const int widths[] = { 1, 2, 4, 8, 16, 3, 12, 17 };

	*a = (struct tsl_array){ .dtype.size = 1 };
	if (size < 6)
		return 0; /* a scalar */
	a->ndim = data[0] % 5;
	a->fortran_order = data[0] & 0x80;
	a->dtype.size = widths[data[1] % 8];
	for (int i = 0; i < a->ndim; i++)
		a->dim[i] = dims[data[2 + i] % 6];
	return 6;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct tsl_spec spec;
	struct tsl_encoding encoding;
	struct tsl_selection sel;
	struct tsl_job job;
	struct tsl_array a;
	struct tsl_shape shape;
	struct tsl_error err;
	struct model model;
	size_t skip = choose_array(&a, data, size);

	if (tsl_parse(&spec, (const char *)data + skip, size - skip, &err) ||
	    tsl_encode(&encoding, &spec, &err)) {
		must(err.pos < 0 || (size_t)err.pos <= size - skip);
		return 0;
	}
	check_printed(&encoding);
	model_of(&model, &encoding, &a);
	shape = tsl_shape_of(&a);
	if (tsl_resolve(&sel, &encoding, &shape, &err)) {
		must(err.item < spec.nitems);
		must(model.refused);
		return 0;
	}
	must(!model.refused);
	tsl_slice_job_init(&job, &a, &sel, NULL,
			   (enum tsl_order)(skip ? data[5] % 3 : 0));
	check_job(&model, &job);
	return 0;
}
