/*
 * isal.c - ISA-L, which counts, inflates and deflates faster than zlib, where
 * it is there
 *
 * The program is built without its headers: what stands here of its interface
 * is that of libisal.so.2, and tried out before it is used.
 */
#include "isal.h"

#include "library.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* What is looked at of a stream's state, and what it takes of memory at most.
 */
struct state {
	unsigned char *next_out;
	uint32_t avail_out, total_out;
	unsigned char *next_in;
	uint64_t bits; /* taken from the input, but not used yet */
	uint32_t avail_in;
	int32_t nbits;
	uint32_t long_lookup[4096];
	uint16_t long_codes[1264];
	uint16_t short_lookup[1024];
	uint16_t short_codes[80];
	uint32_t stage;
};
#define STATE_NBYTES ((size_t)128 * 1024)
#define STAGE_FINISHED 5

struct npyio_isal {
	union {
		struct state state;
		unsigned char room[STATE_NBYTES];
	} u;
};

/* The same of a stream that is deflated, with the memory for the tokens and
   hashes of a level. */
struct out_state {
	unsigned char *next_in;
	uint32_t avail_in, total_in;
	unsigned char *next_out;
	uint32_t avail_out, total_out;
	void *codes;
	uint32_t level, memory_nbytes;
	unsigned char *memory;
	uint16_t is_last, flush, wrapping, window_bits;
};
#define TOKENS_NBYTES ((size_t)512 * 1024)
#define SYNC_FLUSH 1

struct npyio_isal_deflate {
	union {
		struct out_state state;
		unsigned char room[STATE_NBYTES];
	} u;
	uint32_t level;
	unsigned char memory[TOKENS_NBYTES];
};

static struct {
	uint32_t (*crc)(uint32_t crc, const unsigned char *bytes, uint64_t n);
	void (*init)(struct state *state);
	int (*inflate)(struct state *state);
	void (*deflate_init)(struct out_state *state);
	int (*set_dictionary)(struct out_state *state, unsigned char *bytes,
			      uint32_t n);
	int (*deflate)(struct out_state *state);
} functions;

static const struct npyio_symbol symbols[] = {
	NPYIO_SYMBOL(crc32_gzip_refl, functions.crc),
	NPYIO_SYMBOL(isal_inflate_init, functions.init),
	NPYIO_SYMBOL(isal_inflate, functions.inflate),
	NPYIO_SYMBOL(isal_deflate_init, functions.deflate_init),
	NPYIO_SYMBOL(isal_deflate_set_dict, functions.set_dictionary),
	NPYIO_SYMBOL(isal_deflate, functions.deflate),
};

static struct npyio_library library = {
	.name = "libisal.so.2",
	.symbols = symbols,
	.nsymbols = sizeof(symbols) / sizeof(*symbols),
};

static pthread_once_t once = PTHREAD_ONCE_INIT;
static bool usable;

/* The sum that every description of CRC-32 has, in two pieces. */
static bool
counts_right(void)
{
	const unsigned char *digits = (const unsigned char *)"123456789";
	uint32_t crc = functions.crc(0, digits, 4);

	return functions.crc(crc, digits + 4, 5) == 0xcbf43926;
}

/* "ab", as a last block that is stored, and a byte that is not the stream's. */
static bool
inflates_right(void)
{
	unsigned char packed[] = { 1, 2, 0, 0xfd, 0xff, 'a', 'b', 'c' };
	unsigned char bytes[4] = "";
	z_stream z = { .next_in = packed,
		       .avail_in = sizeof(packed),
		       .next_out = bytes,
		       .avail_out = sizeof(bytes) };
	struct npyio_isal *s = npyio_isal_open();
	bool right = s && npyio_isal_inflate(s, &z) == Z_STREAM_END &&
		     z.avail_in == 1 && z.avail_out == 2 &&
		     memcmp(bytes, "ab", 3) == 0;

	npyio_isal_close(s);
	return right;
}

/* "abcabc", in two pieces, the second of which looks back at the first, and
   back. */
static bool
deflates_right(int level)
{
	unsigned char text[] = "abcabcabcabcabc";
	unsigned char packed[128], bytes[sizeof(text)] = "";
	size_t half = sizeof(text) / 2;
	z_stream z = { .next_in = text,
		       .avail_in = (uInt)half,
		       .next_out = packed,
		       .avail_out = sizeof(packed) };
	struct npyio_isal_deflate *d = npyio_isal_deflate_open(level);
	struct npyio_isal *s = npyio_isal_open();
	bool right = d && s && npyio_isal_deflate(d, &z, 0, false);

	z.avail_in = (uInt)(sizeof(text) - half);
	right = right && npyio_isal_deflate(d, &z, half, true);
	z = (z_stream){ .next_in = packed,
			.avail_in = (uInt)(sizeof(packed) - z.avail_out),
			.next_out = bytes,
			.avail_out = sizeof(bytes) };
	right = right && npyio_isal_inflate(s, &z) == Z_STREAM_END &&
		z.avail_in == 0 && memcmp(bytes, text, sizeof(text)) == 0;
	npyio_isal_close(s);
	npyio_isal_deflate_close(d);
	return right;
}

static void
load(void)
{
	usable = npyio_library_load(&library, "speed", NULL) == TSL_OK;
	if (usable)
		usable = counts_right() && inflates_right() &&
			 deflates_right(1) && deflates_right(2);
}

bool
npyio_isal_load(void)
{
	pthread_once(&once, load);
	return usable;
}

bool
npyio_isal_crc(uint32_t *crc, const void *bytes, size_t n)
{
	if (usable)
		*crc = functions.crc(*crc, bytes, n);
	return usable;
}

struct npyio_isal *
npyio_isal_open(void)
{
	struct npyio_isal *s = usable ? calloc(1, sizeof(*s)) : NULL;

	if (s)
		functions.init(&s->u.state);
	return s;
}

void
npyio_isal_close(struct npyio_isal *s)
{
	free(s);
}

int
npyio_isal_inflate(struct npyio_isal *s, z_stream *z)
{
	struct state *state = &s->u.state;
	uInt out = z->avail_out;
	uInt in = z->avail_in;
	int result;

	state->next_in = z->next_in;
	state->avail_in = in;
	state->next_out = z->next_out;
	state->avail_out = out;
	result = functions.inflate(state);
	z->next_in = state->next_in;
	z->avail_in = state->avail_in;
	z->next_out = state->next_out;
	z->avail_out = state->avail_out;
	if (result < 0)
		return Z_DATA_ERROR;
	if (state->stage == STAGE_FINISHED) {
		z->avail_in += (uInt)state->nbits / 8;
		return Z_STREAM_END;
	}
	return z->avail_in == in && z->avail_out == out ? Z_BUF_ERROR : Z_OK;
}

struct npyio_isal_deflate *
npyio_isal_deflate_open(int level)
{
	struct npyio_isal_deflate *d = usable ? calloc(1, sizeof(*d)) : NULL;

	if (d)
		d->level = (uint32_t)level;
	return d;
}

void
npyio_isal_deflate_close(struct npyio_isal_deflate *d)
{
	free(d);
}

bool
npyio_isal_deflate(struct npyio_isal_deflate *d, z_stream *z, size_t before,
		   bool is_last)
{
	struct out_state *state = &d->u.state;
	int result = 0;

	functions.deflate_init(state);
	state->level = d->level;
	state->memory = d->memory;
	state->memory_nbytes = sizeof(d->memory);
	if (before > 0)
		result = functions.set_dictionary(state, z->next_in - before,
						  (uint32_t)before);
	state->is_last = is_last;
	state->flush = is_last ? 0 : SYNC_FLUSH;
	state->next_in = z->next_in;
	state->avail_in = z->avail_in;
	state->next_out = z->next_out;
	state->avail_out = z->avail_out;
	if (result == 0)
		result = functions.deflate(state);
	z->next_in = state->next_in;
	z->avail_in = state->avail_in;
	z->next_out = state->next_out;
	z->avail_out = state->avail_out;
	return result == 0 && z->avail_in == 0 && z->avail_out > 0;
}
