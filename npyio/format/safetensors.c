/*
 * safetensors.c - the container that .safetensors files are
 *
 *	length of the header, 8 bytes | header | data of all tensors
 *
 * The header is a JSON object of tensors:
 *
 *	"name": { "dtype": "F32", "shape": [2, 3], "data_offsets": [0, 24] }
 *
 * whose offsets, from the first byte behind the header, leave no gap and do not
 * overlap; and perhaps of "__metadata__", an object of texts.  What is refused
 * is what the format's own library refuses, and names that are there twice.
 *
 * There may be a million tensors: of each is noted where it stands in the
 * header, which is gone through once, without a tree.
 *
 * Source: safetensors 0.8, its README and tensor.rs.
 */
#include "container.h"
#include "duplicate_strings.h"
#include "json_scan.h"
#include "text.h"

#include <stdlib.h>
#include <string.h>

#define SUFFIX ".safetensors"
#define METADATA "__metadata__"

/* As the library has it. */
#define MAX_HEADER ((uint64_t)100000000)

#define LENGTH 8 /* bytes of it */

/* No key or dtype that means anything is longer, each character escaped. */
#define MAX_WORD 96

/* So deep what nobody knows may be nested: all is, to 127, as the library has
 * it. */
#define UNKNOWN_DEPTH (NPYIO_JSON_MAX_DEPTH - 125)

/* A message shows no more of a name. */
#define MAX_SHOWN 60

struct tensor {
	uint32_t name, name_len; /* in the header, without escapes */
	uint32_t value; /* in it, behind the colon */
	int64_t begin, end; /* of the data, from the first byte of all */
};

struct tensors {
	char *header;
	size_t len;
	int64_t data; /* where they begin in the file */
	int64_t count, cap;
	struct tensor *tensor; /* in the header's order */
};

static enum tsl_status
bad(struct tsl_error *err, const char *what)
{
	return tsl_fail(err, TSL_EBAD_ARCHIVE, "a broken safetensors file: %s",
			what);
}

static enum tsl_status
bad_json(const struct npyio_json_scan *t, const char *wanted,
	 struct tsl_error *err)
{
	return tsl_fail(err, TSL_EBAD_ARCHIVE,
			"a broken safetensors file: expected %s at byte %zu of "
			"its header",
			wanted, t->at);
}

static enum tsl_status
no_memory(struct tsl_error *err)
{
	return tsl_fail(err, TSL_EMEMORY,
			"out of memory for the header of the file");
}

/* ---- strings ------------------------------------------------------------- */

/* The string at t->at, without quotes and as it stands: s[0, len). */
static bool
take_text(struct npyio_json_scan *t, const char **s, size_t *len)
{
	size_t from;

	npyio_json_skip_blanks(t);
	from = t->at + 1;
	if (!npyio_json_take_string(t))
		return false;
	*s = t->s + from;
	*len = t->at - 1 - from;
	return true;
}

/* A string that may mean something: nothing that does is as long. */
struct word {
	char bytes[MAX_WORD];
	const char *s; /* these, or the header's */
	size_t len;
};

static bool
take_word(struct npyio_json_scan *t, struct word *word)
{
	if (!take_text(t, &word->s, &word->len))
		return false;
	if (!memchr(word->s, '\\', word->len))
		return true;
	if (word->len >= MAX_WORD)
		word->len = 0;
	if (!npyio_json_decode(word->s, word->len, word->bytes, &word->len))
		return false;
	word->s = word->bytes;
	return true;
}

static bool
is_word(const struct word *word, const char *text)
{
	return word->len == strlen(text) &&
	       memcmp(word->s, text, word->len) == 0;
}

static bool
take_sign(struct npyio_json_scan *t, char c)
{
	npyio_json_skip_blanks(t);
	return npyio_json_take(t, c);
}

/* ---- one tensor ---------------------------------------------------------- */

static const struct type {
	const char *name;
	struct tsl_dtype dtype;
} types[] = {
	{ "F64", { 'f', '<', 8, "'<f8'", 0 } },
	{ "F32", { 'f', '<', 4, "'<f4'", 0 } },
	{ "F16", { 'f', '<', 2, "'<f2'", 0 } },
	{ "BF16", { 'V', '|', 2, "'|V2'", TSL_BFLOAT16 } },
	{ "F8_E4M3", { 'V', '|', 1, "'|V1'", TSL_FLOAT8_E4M3FN } },
	{ "F8_E5M2", { 'V', '|', 1, "'|V1'", TSL_FLOAT8_E5M2 } },
	{ "I64", { 'i', '<', 8, "'<i8'", 0 } },
	{ "I32", { 'i', '<', 4, "'<i4'", 0 } },
	{ "I16", { 'i', '<', 2, "'<i2'", 0 } },
	{ "I8", { 'i', '|', 1, "'|i1'", 0 } },
	{ "U64", { 'u', '<', 8, "'<u8'", 0 } },
	{ "U32", { 'u', '<', 4, "'<u4'", 0 } },
	{ "U16", { 'u', '<', 2, "'<u2'", 0 } },
	{ "U8", { 'u', '|', 1, "'|u1'", 0 } },
	{ "BOOL", { 'b', '|', 1, "'|b1'", 0 } },
};

enum { KEY_DTYPE = 1, KEY_SHAPE = 2, KEY_OFFSETS = 4, KEY_ALL = 7 };

/* What the header says of a tensor. */
struct facts {
	struct tsl_array array;
	int64_t offset[2];
	int keys; /* seen so far */
};

static enum tsl_status
parse_dtype(struct npyio_json_scan *t, struct facts *f, struct tsl_error *err)
{
	struct word word;

	if (!take_word(t, &word))
		return bad_json(t, "a dtype", err);
	for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++) {
		if (!is_word(&word, types[i].name))
			continue;
		f->array.dtype = types[i].dtype;
		return TSL_OK;
	}
	return tsl_fail(err, TSL_EBAD_ARCHIVE,
			"the safetensors file has a dtype that is not known: "
			"'%.*s'",
			word.len > MAX_SHOWN ? MAX_SHOWN : (int)word.len,
			word.s);
}

/* Digits alone, as JSON has them. */
static bool
take_size(struct npyio_json_scan *t, int64_t *value)
{
	size_t from;

	npyio_json_skip_blanks(t);
	from = t->at;
	*value = 0;
	for (; t->at < t->len && t->s[t->at] >= '0' && t->s[t->at] <= '9';
	     t->at++)
		if (__builtin_mul_overflow(*value, 10, value) ||
		    __builtin_add_overflow(*value, t->s[t->at] - '0', value))
			return false;
	return t->at == from + 1 || (t->at > from && t->s[from] != '0');
}

/* [2, 3], of at most 'most' sizes; '*n' is how many. */
static bool
take_sizes(struct npyio_json_scan *t, int64_t size[], int most, int *n)
{
	*n = 0;
	if (!take_sign(t, '['))
		return false;
	if (take_sign(t, ']'))
		return true;
	do {
		if (*n == most || !take_size(t, &size[(*n)++]))
			return false;
	} while (take_sign(t, ','));
	return npyio_json_take(t, ']');
}

static int
key_of(const struct word *word)
{
	return is_word(word, "dtype")          ? KEY_DTYPE
	       : is_word(word, "shape")        ? KEY_SHAPE
	       : is_word(word, "data_offsets") ? KEY_OFFSETS
					       : 0;
}

static enum tsl_status
parse_fact(struct npyio_json_scan *t, struct facts *f, struct tsl_error *err)
{
	struct word word;
	int key, n;

	if (!take_word(t, &word) || !take_sign(t, ':'))
		return bad_json(t, "a key", err);
	key = key_of(&word);
	if (f->keys & key)
		return bad_json(t, "no key twice", err);
	f->keys |= key;
	switch (key) {
	case KEY_DTYPE:
		return parse_dtype(t, f, err);
	case KEY_SHAPE:
		if (!take_sizes(t, f->array.dim, TSL_MAX_DIMS, &f->array.ndim))
			return bad_json(t, "a list of sizes", err);
		return TSL_OK;
	case KEY_OFFSETS:
		if (!take_sizes(t, f->offset, 2, &n) || n != 2)
			return bad_json(t, "two offsets", err);
		return TSL_OK;
	default:
		/* What later versions may say besides. */
		if (!npyio_json_take_value(t, UNKNOWN_DEPTH))
			return bad_json(t, "a value", err);
		return TSL_OK;
	}
}

static enum tsl_status
parse_facts(struct npyio_json_scan *t, struct facts *f, struct tsl_error *err)
{
	enum tsl_status status = TSL_OK;

	*f = (struct facts){ .keys = 0 };
	if (!take_sign(t, '{'))
		return bad_json(t, "'{'", err);
	if (!take_sign(t, '}')) {
		do
			status = parse_fact(t, f, err);
		while (!status && take_sign(t, ','));
		if (!status && !npyio_json_take(t, '}'))
			status = bad_json(t, "',' or '}'", err);
	}
	if (status)
		return status;
	if (f->keys != KEY_ALL)
		return bad_json(t, "a dtype, a shape and data_offsets", err);
	if (tsl_array_check(&f->array, NULL) || f->offset[0] > f->offset[1] ||
	    f->offset[1] - f->offset[0] != tsl_array_nbytes(&f->array))
		return bad(err, "a tensor's data_offsets do not fit its dtype "
				"and shape");
	return TSL_OK;
}

/* ---- the header ---------------------------------------------------------- */

static enum tsl_status
add(struct tensors *x, const struct tensor *tensor, struct tsl_error *err)
{
	if (x->count == x->cap) {
		int64_t cap = x->cap ? 2 * x->cap : 64;
		struct tensor *more =
			realloc(x->tensor, (size_t)cap * sizeof(*more));

		if (!more)
			return no_memory(err);
		x->tensor = more;
		x->cap = cap;
	}
	x->tensor[x->count++] = *tensor;
	return TSL_OK;
}

/* {"key": "text"}, or null. */
static bool
take_metadata(struct npyio_json_scan *t)
{
	const char *s;
	size_t len;

	npyio_json_skip_blanks(t);
	if (t->at < t->len && t->s[t->at] == 'n')
		return npyio_json_take_value(t, 1);
	if (!npyio_json_take(t, '{'))
		return false;
	if (take_sign(t, '}'))
		return true;
	do {
		if (!take_text(t, &s, &len) || !take_sign(t, ':') ||
		    !take_text(t, &s, &len))
			return false;
	} while (take_sign(t, ','));
	return npyio_json_take(t, '}');
}

/* A tensor, or the metadata; its name becomes what it stands for. */
static enum tsl_status
parse_entry(struct tensors *x, struct npyio_json_scan *t, bool *has_metadata,
	    struct tsl_error *err)
{
	struct facts f;
	const char *s;
	size_t at, len;
	enum tsl_status status;

	if (!take_text(t, &s, &len))
		return bad_json(t, "a name", err);
	at = (size_t)(s - x->header);
	if (memchr(s, '\\', len) &&
	    !npyio_json_decode(s, len, x->header + at, &len))
		return bad_json(t, "a name of whole characters", err);
	if (!take_sign(t, ':'))
		return bad_json(t, "':'", err);
	if (len == strlen(METADATA) && memcmp(s, METADATA, len) == 0) {
		if (*has_metadata || !take_metadata(t))
			return bad_json(t, "texts, once, as " METADATA, err);
		*has_metadata = true;
		return TSL_OK;
	}
	s = t->s + t->at;
	status = parse_facts(t, &f, err);
	if (status)
		return status;
	return add(x,
		   &(struct tensor){ .name = (uint32_t)at,
				     .name_len = (uint32_t)len,
				     .value = (uint32_t)(s - x->header),
				     .begin = f.offset[0],
				     .end = f.offset[1] },
		   err);
}

static enum tsl_status
parse_header(struct tensors *x, struct tsl_error *err)
{
	struct npyio_json_scan t = { .s = x->header, .len = x->len };
	bool has_metadata = false;
	enum tsl_status status = TSL_OK;

	if (!take_sign(&t, '{'))
		return bad_json(&t, "'{'", err);
	if (!take_sign(&t, '}')) {
		do
			status = parse_entry(x, &t, &has_metadata, err);
		while (!status && take_sign(&t, ','));
		if (!status && !npyio_json_take(&t, '}'))
			status = bad_json(&t, "',' or '}'", err);
	}
	npyio_json_skip_blanks(&t);
	if (!status && t.at != t.len)
		status = bad_json(&t, "nothing more", err);
	return status;
}

/* ---- what they say together ---------------------------------------------- */

static enum tsl_status
check_names(const struct tensors *x, struct tsl_error *err)
{
	size_t count = (size_t)x->count;
	struct npyio_string *name = malloc((count ? count : 1) * sizeof(*name));
	enum tsl_status status;
	int64_t twice;

	if (!name)
		return no_memory(err);
	for (size_t i = 0; i < count; i++)
		name[i] = (struct npyio_string){ x->header + x->tensor[i].name,
						 x->tensor[i].name_len };
	status = npyio_find_duplicate_string(name, x->count, &twice, err);
	if (!status && twice >= 0)
		status = tsl_fail(
			err, TSL_EBAD_ARCHIVE,
			"a broken safetensors file: two tensors are named "
			"'%.*s'",
			name[twice].len > MAX_SHOWN ? MAX_SHOWN
						    : (int)name[twice].len,
			name[twice].s);
	free(name);
	return status;
}

static int
compare_places(const void *a, const void *b)
{
	const struct tensor *x = a, *y = b;

	if (x->begin != y->begin)
		return x->begin < y->begin ? -1 : 1;
	return (x->end > y->end) - (x->end < y->end);
}

/* Whether each begins where the one before it ends, and the last at 'end'. */
static bool
are_side_by_side(const struct tensor *t, int64_t count, int64_t end)
{
	int64_t at = 0;

	for (int64_t i = 0; i < count; i++) {
		if (t[i].begin != at)
			return false;
		at = t[i].end;
	}
	return at == end;
}

static enum tsl_status
check_places(const struct tensors *x, int64_t end, struct tsl_error *err)
{
	size_t nbytes = (size_t)x->count * sizeof(*x->tensor);
	struct tensor *sorted;
	bool are;

	/* As a rule they stand in order. */
	if (are_side_by_side(x->tensor, x->count, end))
		return TSL_OK;
	sorted = malloc(nbytes ? nbytes : 1);
	if (!sorted)
		return no_memory(err);
	if (nbytes)
		memcpy(sorted, x->tensor, nbytes);
	qsort(sorted, (size_t)x->count, sizeof(*sorted), compare_places);
	are = are_side_by_side(sorted, x->count, end);
	free(sorted);
	return are ? TSL_OK
		   : bad(err, "its tensors overlap, or leave gaps, or are not "
			      "all of the file");
}

/* ---- the file ------------------------------------------------------------ */

static enum tsl_status
read_header(struct tensors *x, const struct npyio_bytes *file,
	    struct tsl_error *err)
{
	unsigned char bytes[LENGTH];
	uint64_t len = 0;
	enum tsl_status status;

	if (file->size < LENGTH)
		return bad(err, "it ends before its header");
	status = file->read(file, bytes, LENGTH, 0, err);
	if (status)
		return status;
	for (int i = LENGTH - 1; i >= 0; i--)
		len = len << 8 | bytes[i];
	if (len > MAX_HEADER)
		return bad(err, "its header claims to be longer than "
				"100000000 bytes");
	if ((int64_t)len > file->size - LENGTH)
		return bad(err, "it ends within its header");
	x->len = (size_t)len;
	x->data = LENGTH + (int64_t)len;
	x->header = malloc(x->len ? x->len : 1);
	if (!x->header)
		return no_memory(err);
	return file->read(file, x->header, x->len, LENGTH, err);
}

static void
close_tensors(void *content)
{
	struct tensors *x = content;

	free(x->header);
	free(x->tensor);
	free(x);
}

static enum tsl_status
open_tensors(void **content_new, const struct npyio_bytes *file,
	     struct tsl_error *err)
{
	struct tensors *x = calloc(1, sizeof(*x));
	enum tsl_status status;

	if (!x)
		return no_memory(err);
	status = read_header(x, file, err);
	if (!status)
		status = parse_header(x, err);
	if (!status)
		status = check_places(x, file->size - x->data, err);
	if (!status)
		status = check_names(x, err);
	if (status)
		close_tensors(x);
	else
		*content_new = x;
	return status;
}

static int64_t
count_tensors(const void *content)
{
	const struct tensors *x = content;

	return x->count;
}

static const char *
name_of(const void *content, int64_t i, size_t *len)
{
	const struct tensors *x = content;

	*len = x->tensor[i].name_len;
	return x->header + x->tensor[i].name;
}

/* What was parsed before, but for the shape, which was not kept. */
static enum tsl_status
locate(const void *content, int64_t i, const struct npyio_bytes *file,
       struct npyio_member *m, struct tsl_error *err)
{
	const struct tensors *x = content;
	const struct tensor *tensor = &x->tensor[i];
	struct npyio_json_scan t = { .s = x->header,
				     .len = x->len,
				     .at = tensor->value };
	struct facts f;
	enum tsl_status status = parse_facts(&t, &f, err);

	(void)file;
	if (status)
		return status;
	*m = (struct npyio_member){
		.offset = x->data + tensor->begin,
		.packed = tensor->end - tensor->begin,
		.size = tensor->end - tensor->begin,
		.is_bare = true,
		.array = f.array,
	};
	return TSL_OK;
}

/* The bytes alone would tell little. */
static bool
is_tensors(const char *path, const unsigned char *first, size_t n)
{
	(void)first, (void)n;
	return npyio_ends_in(path, strlen(path), SUFFIX);
}

const struct npyio_container npyio_safetensors_container = {
	.name = "safetensors file",
	.file_suffix = SUFFIX,
	.is = is_tensors,
	.open = open_tensors,
	.close = close_tensors,
	.count = count_tensors,
	.name_of = name_of,
	.locate = locate,
};
