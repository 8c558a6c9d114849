/*
 * foreign_format.c - what a file is that is no .npy file, for who gave it by
 * mistake
 */
#include "foreign_format.h"

#include <stdbool.h>
#include <string.h>

struct kind {
	const char *magic;
	size_t len;
	const char *words;
};

#define KIND(magic, words)                       \
	{                                        \
		magic, sizeof(magic) - 1, words, \
	}

#define PIPED(command) "; read it through a pipe, as in: " command " | tslice -"
#define SAVED "; write its data with numpy.save first"
#define DAMAGED "one that was damaged by being converted as text"

/* Of a stream no more than the first 10 bytes are ever there to be seen. */
static const struct kind kinds[] = {
	/* Those that can be read as such never come here. */
	KIND("PK\3\4", "a zip archive, as .npz files are, which cannot be "
		       "read as a stream; give its name, as in: tslice "
		       "FILE.npz:NAME"),
	KIND("PK\5\6", "an empty zip archive"),
	KIND("\x1f\x8b", "gzip data" PIPED("zcat FILE")),
	KIND("\xfd"
	     "7zXZ",
	     "xz data" PIPED("xzcat FILE")),
	KIND("\x28\xb5\x2f\xfd", "zstd data" PIPED("zstdcat FILE")),
	KIND("BZh", "bzip2 data" PIPED("bzcat FILE")),
	KIND("\x04\x22\x4d\x18", "lz4 data" PIPED("lz4cat FILE")),
	KIND("\x89HDF\r\n", "an HDF5 file" SAVED),
	KIND("CDF", "a NetCDF file" SAVED),
	KIND("MATLAB 5.0", "a MATLAB file" SAVED),
	KIND("SIMPLE  =", "a FITS file" SAVED),
	KIND("PAR1", "a Parquet file" SAVED),
	KIND("ARROW1", "an Arrow file" SAVED),
	KIND("\x89PNG", "a PNG image" SAVED),
	KIND("\xff\xd8\xff", "a JPEG image" SAVED),
	KIND("II*\0", "a TIFF image" SAVED),
	KIND("MM\0*", "a TIFF image" SAVED),
	KIND("%PDF-", "a PDF document"),
	KIND("\x7f"
	     "ELF",
	     "a program"),
	KIND("\xc2\x93NUMPY", DAMAGED),
	KIND("\xef\xbf\xbdNUMPY", DAMAGED),
	KIND("?NUMPY", DAMAGED),
};

/* Since protocol 2 a pickle begins with its version. */
static bool
is_pickle(const unsigned char *bytes, size_t len)
{
	return len > 1 && bytes[0] == 0x80 && bytes[1] >= 2 && bytes[1] <= 5;
}

static bool
is_text(const unsigned char *bytes, size_t len)
{
	for (size_t i = 0; i < len; i++)
		if ((bytes[i] < ' ' || bytes[i] > '~') &&
		    !memchr("\t\n\r", bytes[i], 3))
			return false;
	return len > 0;
}

const char *
npyio_foreign_format(const unsigned char *bytes, size_t len)
{
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		if (len >= kinds[i].len &&
		    memcmp(bytes, kinds[i].magic, kinds[i].len) == 0)
			return kinds[i].words;
	if (is_pickle(bytes, len))
		return "a Python pickle, which only Python can read";
	if (is_text(bytes, len))
		return "text; tparse makes an array of it";
	return NULL;
}
