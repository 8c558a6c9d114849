/*
 * fuzz_parse.c - any text as a table, whole and cut into small chunks
 *
 * The input is: a byte that chooses the type, one that chooses the delimiter
 * and how large chunks are, and the text.
 *
 * Property: chunks are parsed to what all of the text is parsed to, elements,
 * or a fault of the same kind in the same line.
 */
#define _GNU_SOURCE /* memfd_create */
#include "cli/parse/pass.h"
#include "fuzz.h"

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static const char *const types[] = {
	NULL,
	"f8",
	"f2",
	"i4",
	"?",
	"c8",
	"U3",
	"S",
	"M8[ms]",
	"m8[D]",
	"[('a','u1'),('b','<U2'),('c','f4',(2,))]",
};

#define N_TYPES (sizeof(types) / sizeof(types[0]))

int
LLVMFuzzerInitialize(int *argc, char ***argv)
{
	(void)argc;
	(void)argv;
	return 0;
}

/* What a text came to. */
struct result {
	struct pass pass;
	enum tsl_status status;
	struct tsl_error err;
	char *elements;
	size_t nbytes;
};

static void
read_elements(struct result *r, struct npyio_writer *out)
{
	int fd = npyio_writer_descriptor(out);
	off_t end = lseek(fd, 0, SEEK_END);

	must(end >= 0);
	r->nbytes = (size_t)end;
	r->elements = malloc(r->nbytes + 1);
	must(r->elements &&
	     pread(fd, r->elements, r->nbytes, 0) == (ssize_t)r->nbytes);
}

static void
parse(struct result *r, const struct schema *schema, char delimiter,
      size_t size, int fd)
{
	struct tsl_powers powers;
	struct source source = { .name = "text", .fd = fd, .is_file = true };
	struct npyio_writer *out = NULL;

	tsl_powers_init(&powers);
	*r = (struct result){
		.pass = { .rules = { schema, &powers, schema->is_widest },
			  .chunker = { .source = &source,
				       .delimiter = delimiter,
				       .has_text = schema->has_text,
				       .is_record = schema->is_record,
				       .size = size,
				       .most = 1 << 20 },
			  .threads = 1 },
	};
	must(npyio_writer_open_spool(&out, NULL) == TSL_OK);
	r->pass.out = out;
	chunker_begin(&r->pass.chunker);
	must(chunker_skip(&r->pass.chunker, 0, NULL) == TSL_OK);
	r->status = pass_run(&r->pass, &r->err);
	must(!r->status || memchr(r->err.msg, 0, sizeof(r->err.msg)));
	read_elements(r, out);
	npyio_writer_abort(out);
	chunker_free(&r->pass.chunker);
	free(r->pass.bad_line);
}

static void
check_same(const struct result *a, const struct result *b)
{
	must(a->status == b->status);
	must(a->pass.not_integer == b->pass.not_integer);
	if (a->status) {
		/* "line 3: "; of a cell that was cut a part may be shown. */
		must(strncmp(a->err.msg, b->err.msg,
			     strcspn(a->err.msg, ":") + 1) == 0);
		return;
	}
	if (a->pass.not_integer)
		return;
	must(a->pass.rows == b->pass.rows);
	must(a->pass.columns == b->pass.columns);
	must(a->pass.count == b->pass.count);
	must(a->pass.widest == b->pass.widest);
	must(a->nbytes == b->nbytes &&
	     memcmp(a->elements, b->elements, a->nbytes) == 0);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char delimiters[] = { '\0', ROWS_BLANKS, ' ',
					   ',',  '\t',        '.' };
	struct result whole, cut;
	struct schema schema;
	char delimiter;
	int fd;

	if (size < 2)
		return 0;
	delimiter = delimiters[data[1] % sizeof(delimiters)];
	fd = memfd_create("fuzz", MFD_CLOEXEC);
	must(fd >= 0 && write(fd, data + 2, size - 2) == (ssize_t)size - 2);
	must(schema_init(&schema, types[data[0] % N_TYPES], '\0', NULL) ==
	     TSL_OK);
	parse(&whole, &schema, delimiter, size + 16, fd);
	/* It is found in what there is of the first row in a chunk. */
	parse(&cut, &schema, delimiter,
	      delimiter ? (size_t)4 + data[1] / sizeof(delimiters) : size + 16,
	      fd);
	check_same(&whole, &cut);
	free(whole.elements);
	free(cut.elements);
	schema_free(&schema);
	close(fd);
	return 0;
}
