/*
 * explain.c - what a slice compiles to, and what it would do
 */
#include "explain.h"

#include "cli/report/message.h"
#include "encoding_json.h"
#include "lib/view/need.h"
#include "vectors.h"

#include <inttypes.h>
#include <stdio.h>

#define NAME_WIDTH 16

/* Values that are not looked at are shown as x. */
static bool
is_used(const struct tsl_encoding *e, enum vectors_list which, int i)
{
	enum tsl_item_kind kind = tsl_encoding_kind(e, i);

	if (kind != TSL_ITEM_RANGE)
		return kind == TSL_ITEM_INDEX;
	if (which == VECTORS_BEGIN)
		return !(e->begin_mask >> i & 1);
	if (which == VECTORS_END)
		return !(e->end_mask >> i & 1);
	return true;
}

static void
print_list(const struct tsl_encoding *e, enum vectors_list which)
{
	const int64_t *values = vectors_of(e, which);

	printf("%-*s = [", NAME_WIDTH, vectors_list_names[which]);
	for (int i = 0; i < e->nitems; i++) {
		fputs(i ? ", " : "", stdout);
		if (is_used(e, which, i))
			printf("%" PRId64, values[i]);
		else
			putchar('x');
	}
	puts("]");
}

static void
print_mask(const struct tsl_encoding *e, enum vectors_mask which)
{
	uint32_t mask = vectors_mask_of(e, which);
	const char *separator = "";

	printf("%-*s = ", NAME_WIDTH, vectors_mask_names[which]);
	for (int i = 0; i < 32; i++) {
		if (mask >> i & 1) {
			printf("%s1<<%d", separator, i);
			separator = " | ";
		}
	}
	printf("%s%" PRId32 "\n", mask ? " = " : "", (int32_t)mask);
}

static void
print_shape(const char *name, const struct tsl_shape *shape,
	    const struct tsl_array *array)
{
	char text[TSL_SHAPE_TEXT];

	tsl_shape_format(shape, text);
	printf("%-*s = %s", NAME_WIDTH, name, text);
	if (array) {
		int len;
		const char *dtype = tsl_dtype_name(&array->dtype, &len);
		char copy[256];

		snprintf(copy, sizeof(copy), "%.*s", len, dtype);
		fputs("  ", stdout);
		message_escape(stdout, copy, false);
		printf("  %c  %" PRId64 " bytes",
		       array->fortran_order ? 'F' : 'C',
		       tsl_array_nbytes(array));
	}
	putchar('\n');
}

/* Dense steps are read with what lies between them. */
int64_t
explain_read(const struct tsl_job *job)
{
	int64_t lo, hi;

	if (job->nbytes == 0 || (job->pattern != TSL_PATTERN_DENSE &&
				 job->pattern != TSL_PATTERN_SMALL))
		return job->nbytes;
	tsl_view_span(&job->view, &lo, &hi);
	return hi - lo;
}

static void
print_plan(const struct tsl_job *job, bool can_reflink)
{
	static const char *const access[] = {
		[TSL_PATTERN_EMPTY] = "",
		[TSL_PATTERN_RUN] = ", read into place",
		[TSL_PATTERN_ROWS] = ", read into place",
		[TSL_PATTERN_BOX] = ", from a mapping",
		[TSL_PATTERN_DENSE] = ", with the gaps",
		[TSL_PATTERN_SMALL] = ", with the gaps",
		[TSL_PATTERN_SPARSE] = ", from a mapping",
		[TSL_PATTERN_TRANSPOSED] = ", from a mapping",
		[TSL_PATTERN_GATHER] = "",
		[TSL_PATTERN_PICKS] = "",
	};

	printf("%-*s = %" PRId64 " of %" PRId64 " bytes\n", NAME_WIDTH, "read",
	       explain_read(job), tsl_array_nbytes(&job->in));
	printf("%-*s = %" PRId64 " bytes\n", NAME_WIDTH, "write", job->nbytes);
	printf("%-*s = %s%s\n", NAME_WIDTH, "plan",
	       tsl_pattern_name(job->pattern),
	       can_reflink ? ", shared or read into place"
			   : access[job->pattern]);
}

void
explain_text(const struct explanation *x)
{
	const struct tsl_job *job = x->job;
	struct tsl_array written;

	for (int i = 0; i < VECTORS_LISTS; i++)
		print_list(x->encoding, (enum vectors_list)i);
	for (int i = 0; i < VECTORS_MASKS; i++)
		print_mask(x->encoding, (enum vectors_mask)i);
	if (!x->shape)
		return;
	if (job)
		written = tsl_job_written(job);
	print_shape("input", x->shape, job ? &job->in : NULL);
	print_shape("output", x->result, job ? &written : NULL);
	if (job)
		print_plan(job, x->can_reflink);
}

enum tsl_status
explain_json(const struct explanation *x, struct tsl_error *err)
{
	struct json_array input = { x->shape, x->job ? &x->job->in : NULL };
	struct tsl_array written;
	struct json_array output = { x->result, x->job ? &written : NULL };

	if (x->job)
		written = tsl_job_written(x->job);

	return json_write_encoding(stdout, x->encoding,
				   x->shape ? &input : NULL,
				   x->shape ? &output : NULL, err);
}

static void
print_range(int64_t first, int64_t last, bool json, bool *is_next)
{
	const char *form = json ? "%s[%" PRId64 ",%" PRId64 "]"
				: "%s%" PRId64 "-%" PRId64 "\n";

	printf(form, json && *is_next ? "," : "", first, last);
	*is_next = true;
}

void
explain_ranges(const struct tsl_job *job, const struct npyio_reader *in,
	       bool json)
{
	struct npyio_extent extent;
	struct tsl_need need;
	bool is_next = false;
	int64_t lo, hi;

	npyio_reader_extent(in, &extent);
	fputs(json ? "{\"ranges\":[" : "", stdout);
	if (job->nbytes > 0 && extent.packed > 0) {
		print_range(extent.offset, extent.offset + extent.packed - 1,
			    json, &is_next);
	} else if (job->nbytes > 0) {
		tsl_need_init(&need, &job->view, TSL_NEED_GAP);
		while (tsl_need_next(&need, &lo, &hi))
			print_range(extent.offset + lo, extent.offset + hi - 1,
				    json, &is_next);
	}
	fputs(json ? "]}\n" : "", stdout);
}
