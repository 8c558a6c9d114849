/*
 * foreign_format.h - what a file is that is no .npy file, for who gave it by
 * mistake
 */
#ifndef NPYIO_FOREIGN_FORMAT_H
#define NPYIO_FOREIGN_FORMAT_H

#include <stddef.h>

/*
 * npyio_foreign_format() says what a file that begins with bytes[0, len) is,
 * and what to do with it, in words that go on with "not an .npy file but ".
 * Returns NULL if the bytes tell nothing.
 */
const char *npyio_foreign_format(const unsigned char *bytes, size_t len);

#endif /* NPYIO_FOREIGN_FORMAT_H */
