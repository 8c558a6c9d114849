/*
 * test_scatter.c - rows written into a file where tuples say
 *
 * Files in a directory of their own, against a loop over tuples and elements.
 */
#define _GNU_SOURCE /* mkdtemp */
#include "check.h"

#include "lib/op/scatter_nd.h"
#include "npyio/format/header.h"
#include "npyio/transfer/place/scatter.h"

#include <pthread.h>
#include <unistd.h>

#define KIB ((int64_t)1024)
#define MIB (1024 * KIB)

static uint64_t seed = 14;
static char dir[] = "/tmp/scatter.XXXXXX";

/* ---- examples ------------------------------------------------------------ */

struct example {
	struct tsl_array out, indices, updates;
	int64_t ntuples, depth;
	char *bytes; /* of the output, before */
	int32_t *tuple;
	char *rows;
	struct tsl_scatter_options options;
	int threads;
	int64_t room;
	bool in_memory; /* the updates */
	bool hole; /* the output's bytes are one, and read as zeros */
};

static char *
noise_new(int64_t nbytes)
{
	char *bytes = malloc((size_t)nbytes + 8);

	for (int64_t i = 0; i < nbytes; i += 8) {
		uint64_t noise = check_random(&seed);

		memcpy(bytes + i, &noise, 8);
	}
	return bytes;
}

static struct tsl_dtype
opaque(int64_t size)
{
	static char descr[8][16];
	static int next;
	char *text = descr[next++ % 8];

	snprintf(text, sizeof(descr[0]), "'|V%lld'", (long long)size);
	return (struct tsl_dtype){ 'V', '|', size, text, 0 };
}

static struct tsl_dtype
int32(void)
{
	const uint16_t one = 1;
	bool little = *(const char *)&one == 1;

	return (struct tsl_dtype){ 'i', little ? '<' : '>', 4,
				   little ? "'<i4'" : "'>i4'", 0 };
}

/* Completes an example of which the output, and the depth, are known. */
static void
draw_updates(struct example *x, int ndim, const int64_t dim[])
{
	x->indices = (struct tsl_array){ .dtype = int32(), .ndim = ndim + 1 };
	x->updates = (struct tsl_array){ .dtype = x->out.dtype };
	x->ntuples = 1;
	for (int i = 0; i < ndim; i++) {
		x->indices.dim[i] = dim[i];
		x->updates.dim[x->updates.ndim++] = dim[i];
		x->ntuples *= dim[i];
	}
	x->indices.dim[ndim] = x->depth;
	for (int i = (int)x->depth; i < x->out.ndim; i++)
		x->updates.dim[x->updates.ndim++] = x->out.dim[i];
	x->bytes = x->hole ? calloc(1, (size_t)tsl_array_nbytes(&x->out))
			   : noise_new(tsl_array_nbytes(&x->out));
	x->rows = noise_new(tsl_array_nbytes(&x->updates));
	x->tuple = calloc((size_t)(x->ntuples * x->depth + 1), 4);
	for (int64_t i = 0; i < x->ntuples * x->depth; i++)
		x->tuple[i] = (int32_t)check_between(
			&seed, x->options.skip_bad ? -1 : 0,
			x->out.dim[i % x->depth] -
				(x->options.skip_bad ? 0 : 1));
}

static void
free_example(struct example *x)
{
	free(x->bytes);
	free(x->tuple);
	free(x->rows);
}

/* Where tuple t leads to, or -1; its number among the places, in C order. */
static int64_t
place_of(const struct example *x, int64_t t)
{
	int64_t place = 0;

	for (int64_t i = 0; i < x->depth; i++) {
		int64_t index = x->tuple[t * x->depth + i];

		if (index < 0 || index >= x->out.dim[i])
			return -1;
		place = place * x->out.dim[i] + index;
	}
	return place;
}

/* The byte offset of element number e, in C order, of the output. */
static int64_t
element_at(const struct example *x, int64_t e)
{
	int64_t stride[TSL_MAX_DIMS];
	int64_t offset = 0;

	tsl_array_strides(&x->out, stride);
	for (int i = x->out.ndim - 1; i >= 0; i--) {
		offset += e % x->out.dim[i] * stride[i];
		e /= x->out.dim[i];
	}
	return offset;
}

static void
model(const struct example *x, char *want)
{
	int64_t size = x->out.dtype.size;
	int64_t row = 1;

	for (int i = (int)x->depth; i < x->out.ndim; i++)
		row *= x->out.dim[i];
	memcpy(want, x->bytes, (size_t)tsl_array_nbytes(&x->out));
	for (int64_t t = 0; t < x->ntuples; t++)
		for (int64_t e = 0; e < row && place_of(x, t) >= 0; e++)
			memcpy(want + element_at(x, place_of(x, t) * row + e),
			       x->rows + (t * row + e) * size, (size_t)size);
}

/* ---- files --------------------------------------------------------------- */

/* Returns how many bytes stand before the data; 'bytes' NULL: a hole. */
static int64_t
save(const char *path, const struct tsl_array *array, const void *bytes)
{
	struct npyio_text header = { .len = 0 };
	int64_t nbytes = tsl_array_nbytes(array);
	int64_t len;
	FILE *f = fopen(path, "w");

	CHECK(npyio_header_format(&header, array, NULL) == TSL_OK, "header");
	len = (int64_t)header.len;
	fwrite(header.s, 1, header.len, f);
	if (bytes)
		fwrite(bytes, 1, (size_t)nbytes, f);
	fflush(f);
	CHECK(ftruncate(fileno(f), len + nbytes) == 0, "%s", path);
	fclose(f);
	npyio_text_free(&header);
	return len;
}

static char *
load_new(const char *path, int64_t skip, int64_t nbytes)
{
	char *bytes = malloc((size_t)nbytes + 1);
	FILE *f = fopen(path, "r");

	fseeko(f, skip, SEEK_SET);
	/* One byte more is asked for, and should not be there. */
	CHECK_EQ(fread(bytes, 1, (size_t)nbytes + 1, f), nbytes);
	fclose(f);
	return bytes;
}

struct files {
	char out[64], indices[64], updates[64];
	int64_t header; /* of the output */
};

static void
save_all(const struct example *x, struct files *f, int number)
{
	snprintf(f->out, sizeof(f->out), "%s/out%d.npy", dir, number);
	snprintf(f->indices, sizeof(f->out), "%s/indices%d.npy", dir, number);
	snprintf(f->updates, sizeof(f->out), "%s/updates%d.npy", dir, number);
	f->header = save(f->out, &x->out, x->hole ? NULL : x->bytes);
	save(f->indices, &x->indices, x->tuple);
	save(f->updates, &x->updates, x->rows);
}

static void
remove_all(const struct files *f)
{
	remove(f->out);
	remove(f->indices);
	remove(f->updates);
}

/* ---- scattering ---------------------------------------------------------- */

static struct npyio_reader *
open_new(const char *path)
{
	struct npyio_reader *r;
	struct tsl_error err = { .msg = "" };

	CHECK(npyio_reader_open(&r, path, &err) == TSL_OK, "%s", err.msg);
	return r;
}

static void
keep_in_memory(const struct example *x, struct npyio_reader *r)
{
	size_t nbytes = (size_t)tsl_array_nbytes(&x->updates);
	char *memory = memcpy(malloc(nbytes + 1), x->rows, nbytes);

	(void)!npyio_reader_replace(r, npyio_reader_array(r), memory, 0, NULL);
}

static enum tsl_status
prove_and_put(const struct example *x, const struct npyio_transfer *t,
	      const char *path, struct tsl_error *err)
{
	struct npyio_in_place_file f;
	enum tsl_status status = npyio_scatter_check(t, x->room, err);

	if (status)
		return status;
	if (npyio_in_place_file_open(&f, path, t->in[0], NULL, err))
		return TSL_EIO;
	status = npyio_scatter(t, &f, x->room, err);
	return npyio_in_place_file_close(&f, false, NULL) ? TSL_EIO : status;
}

/* The job is made for C order, and then that of the file is said. */
static enum tsl_status
scatter(const struct example *x, const struct files *f, struct tsl_error *err)
{
	struct npyio_reader *in[] = { open_new(f->out), open_new(f->indices),
				      open_new(f->updates) };
	struct tsl_scatter_job job;
	struct npyio_transfer t = { .job = &job.job,
				    .in = in,
				    .ninputs = 3,
				    .threads = x->threads,
				    .max_memory = x->room };
	enum tsl_status status = tsl_scatter_job_init(
		&job, npyio_reader_array(in[0]), npyio_reader_array(in[1]),
		npyio_reader_array(in[2]), &x->options, TSL_ORDER_C, err);

	CHECK_EQ(status, TSL_OK);
	job.job.out.fortran_order = x->out.fortran_order;
	if (x->in_memory)
		keep_in_memory(x, in[2]);
	if (!status)
		status = prove_and_put(x, &t, f->out, err);
	/* It names a reader. */
	err->subject = NULL;
	for (int i = 0; i < 3; i++)
		npyio_reader_close(in[i]);
	return status;
}

static void
check_bytes(const struct example *x, const struct files *f, const char *want)
{
	int64_t nbytes = tsl_array_nbytes(&x->out);
	char *got = load_new(f->out, f->header, nbytes);

	CHECK(memcmp(got, want, (size_t)nbytes) == 0,
	      "%d dims, %s order, elements of %lld, %lld tuples of %lld",
	      x->out.ndim, x->out.fortran_order ? "F" : "C",
	      (long long)x->out.dtype.size, (long long)x->ntuples,
	      (long long)x->depth);
	free(got);
}

/* Frees the example. */
static void
check_example(struct example *x)
{
	struct tsl_error err = { .msg = "" };
	char *want = malloc((size_t)tsl_array_nbytes(&x->out) + 1);
	struct files f;

	save_all(x, &f, 0);
	CHECK(scatter(x, &f, &err) == TSL_OK, "%s", err.msg);
	model(x, want);
	check_bytes(x, &f, want);
	remove_all(&f);
	free(want);
	free_example(x);
}

/* ---- tests --------------------------------------------------------------- */

static struct example
draw_example(void)
{
	static const int64_t sizes[] = { 1, 2, 3, 4, 7, 8, 12, 16, 64, 100 };
	static const int64_t rooms[] = { 300, 400, 700, 1024, 16 * 1024 };
	struct example x = { .out.ndim = (int)check_between(&seed, 1, 4) };
	int64_t dim[3];
	int ndim = (int)check_between(&seed, 0, 3);

	x.out.dtype = opaque(sizes[check_between(&seed, 0, 9)]);
	x.out.fortran_order = check_between(&seed, 0, 1);
	for (int i = 0; i < x.out.ndim; i++)
		x.out.dim[i] = check_between(&seed, 1, 9);
	x.depth = check_between(&seed, 0, x.out.ndim);
	x.options.skip_bad = check_between(&seed, 0, 1);
	x.threads = (int)check_between(&seed, 1, 4);
	x.room = rooms[check_between(&seed, 0, 4)] * KIB;
	x.in_memory = check_between(&seed, 0, 1);
	for (int i = 0; i < ndim; i++)
		dim[i] = check_between(&seed, i == 0 ? 0 : 1, 9);
	draw_updates(&x, ndim, dim);
	return x;
}

static void
test_any_shape_order_and_depth(void)
{
	for (int i = 0; i < 1000; i++) {
		struct example x = draw_example();

		check_example(&x);
	}
}

/* Enough for threads, for several parts, and in little room for batches. */
static void
check_many(struct tsl_array out, int64_t depth, int64_t ntuples)
{
	static const int64_t rooms[] = { 500 * KIB, 5 * MIB, 64 * MIB };

	for (int i = 0; i < 12; i++) {
		struct example x = { .out = out,
				     .depth = depth,
				     .threads = 4,
				     .room = rooms[i % 3] };

		x.in_memory = i / 3 % 2;
		x.options.skip_bad = x.hole = i / 6;
		draw_updates(&x, 1, &ntuples);
		check_example(&x);
	}
}

#define ARRAY(size, n, order, ...)                   \
	((struct tsl_array){ .dtype = opaque(size),  \
			     .ndim = n,              \
			     .dim = { __VA_ARGS__ }, \
			     .fortran_order = order })

static void
test_the_last_wins_on_any_number_of_threads(void)
{
	check_many(ARRAY(8, 1, false, 20000), 1, 300000);
	check_many(ARRAY(9, 2, false, 20000, 7), 1, 140000);
	check_many(ARRAY(4, 2, true, 5000, 8), 1, 40000);
}

static void
test_long_runs(void)
{
	check_many(ARRAY(8, 2, false, 31, 2500), 1, 450);
	check_many(ARRAY(1, 2, false, 3, 3000000), 1, 4);
}

static void
test_few_runs_in_a_part(void)
{
	check_many(ARRAY(3, 1, false, 7000000), 1, 40);
}

#define SIDE 200000 /* rows of each */

/* Every other row of one file. */
struct side {
	struct example x;
	struct files f;
	enum tsl_status status;
};

static void
init_side(struct side *s, int odd)
{
	const int64_t ntuples = SIDE;

	s->x = (struct example){ .out = { opaque(3), 1, { 2 * SIDE } },
				 .depth = 1,
				 .threads = 1,
				 .room = 16 * MIB };
	draw_updates(&s->x, 1, &ntuples);
	for (int32_t i = 0; i < SIDE; i++)
		s->x.tuple[i] = 2 * i + odd;
	save_all(&s->x, &s->f, odd);
}

static void *
scatter_side(void *arg)
{
	struct side *s = arg;
	struct tsl_error err;

	s->status = scatter(&s->x, &s->f, &err);
	return NULL;
}

/* A neighbour's byte that is written as it was undoes what its owner wrote. */
static void
check_at_once(struct side s[2], const char *want)
{
	pthread_t thread;

	save(s[0].f.out, &s[0].x.out, s[0].x.bytes);
	CHECK(pthread_create(&thread, NULL, scatter_side, &s[1]) == 0,
	      "no thread");
	scatter_side(&s[0]);
	pthread_join(thread, NULL);
	CHECK_EQ(s[0].status, TSL_OK);
	CHECK_EQ(s[1].status, TSL_OK);
	check_bytes(&s[0].x, &s[0].f, want);
}

static void
test_two_at_once_write_no_byte_of_each_other(void)
{
	struct side *s = calloc(2, sizeof(*s));
	char *want = malloc(6 * SIDE), *other = malloc(6 * SIDE);

	init_side(&s[0], 0);
	init_side(&s[1], 1);
	model(&s[0].x, want);
	model(&s[1].x, other);
	for (int i = 3; i < 6 * SIDE; i += 6)
		memcpy(want + i, other + i, 3);
	remove(s[1].f.out);
	strcpy(s[1].f.out, s[0].f.out);
	for (int round = 0; round < 20; round++)
		check_at_once(s, want);
	for (int i = 0; i < 2; i++) {
		remove_all(&s[i].f);
		free_example(&s[i].x);
	}
	free(s);
	free(want);
	free(other);
}

/* ---- duplicates ---------------------------------------------------------- */

static void
format_index(char *text, int64_t n, int ndim, const int64_t dim[])
{
	int64_t index[4];

	for (int i = ndim - 1; i >= 0; i--) {
		index[i] = n % dim[i];
		n /= dim[i];
	}
	text += sprintf(text, "[");
	for (int i = 0; i < ndim; i++)
		text += sprintf(text, i ? ", %d" : "%d", (int)index[i]);
	sprintf(text, "]");
}

/* The words about the first tuple that repeats another; "" if none does. */
static void
expect_duplicate(const struct example *x, char *text)
{
	char first[64], second[64], name[64];

	text[0] = '\0';
	for (int64_t j = 1; j < x->ntuples; j++)
		for (int64_t i = 0; i < j; i++) {
			int64_t place = place_of(x, j);

			if (place < 0 || place_of(x, i) != place)
				continue;
			format_index(first, i, x->indices.ndim - 1,
				     x->indices.dim);
			format_index(second, j, x->indices.ndim - 1,
				     x->indices.dim);
			format_index(name, place, (int)x->depth, x->out.dim);
			sprintf(text, "indices%s and indices%s both name %s",
				first, second, name);
			return;
		}
}

static void
check_duplicates(struct example *x)
{
	char want[256];
	struct tsl_error err = { .msg = "" };
	struct files f;
	enum tsl_status status;

	save_all(x, &f, 0);
	status = scatter(x, &f, &err);
	expect_duplicate(x, want);
	CHECK_EQ(status, want[0] ? TSL_EDUPLICATE_INDEX : TSL_OK);
	CHECK_STR(err.msg, want);
	if (status)
		check_bytes(x, &f, x->bytes);
	remove_all(&f);
	free_example(x);
}

/* Little room: places in ranges, or tuples sorted. */
static void
test_duplicates_are_refused_and_named(void)
{
	static const int64_t rooms[] = { 64, 500, 2000, 16 * KIB, MIB };
	int refused = 0;

	for (int i = 0; i < 600; i++) {
		struct example x = draw_example();
		char want[256];

		x.options.refuse_duplicates = true;
		x.room = rooms[i % 5];
		expect_duplicate(&x, want);
		refused += want[0] != '\0';
		check_duplicates(&x);
	}
	CHECK(refused > 100 && refused < 500, "%d of 600", refused);
}

/* Some ranges have as many bits as malloc has bytes: another's come next. */
static void
test_duplicates_of_very_many_places(void)
{
	for (int i = 0; i < 200; i++) {
		int64_t ntuples = check_between(&seed, 2, 120);
		struct example x = {
			.out = { opaque(1), 2, { 100, 80 }, i % 2 },
			.depth = 2,
			.threads = 1,
			.room = (const int64_t[]){ 4 * KIB, 800, 112 }[i % 3],
			.options = { i / 2 % 2, true },
		};

		draw_updates(&x, 1, &ntuples);
		check_duplicates(&x);
	}
}

static void
test_a_bad_index_is_found_before_duplicates(void)
{
	static const int64_t ntuples = 3;
	struct example x = { .out = { opaque(4), 2, { 5, 2 } },
			     .depth = 1,
			     .threads = 1,
			     .room = MIB,
			     .options = { false, true } };
	struct tsl_error err = { .msg = "" };
	struct files f;

	draw_updates(&x, 1, &ntuples);
	x.tuple[0] = x.tuple[1] = 3;
	x.tuple[2] = 5;
	save_all(&x, &f, 0);
	CHECK_EQ(scatter(&x, &f, &err), TSL_EINDEX_OUT_OF_RANGE);
	check_bytes(&x, &f, x.bytes);
	remove_all(&f);
	free_example(&x);
}

int
main(void)
{
	if (!mkdtemp(dir))
		return 1;
	RUN(test_any_shape_order_and_depth);
	RUN(test_the_last_wins_on_any_number_of_threads);
	RUN(test_long_runs);
	RUN(test_few_runs_in_a_part);
	RUN(test_two_at_once_write_no_byte_of_each_other);
	RUN(test_duplicates_are_refused_and_named);
	RUN(test_duplicates_of_very_many_places);
	RUN(test_a_bad_index_is_found_before_duplicates);
	rmdir(dir);
	return check_done();
}
