/*
 * short_integers.h - rows of integers of few digits, 64 characters at a time
 */
#ifndef CLI_PARSE_SHORT_INTEGERS_H
#define CLI_PARSE_SHORT_INTEGERS_H

#include "cells.h"

/*
 * short_integers_take() is numbers_take() for rows of integers of at most four
 * digits, with a minus or without, each with one divider behind it, or blanks;
 * 'columns' is not 0, and to 'count' it adds.  It stops before any other row,
 * before the last 64 bytes, and takes nothing where the text begins, or in
 * another byte order than this machine's.
 */
void short_integers_take(struct numbers *n);

#endif /* CLI_PARSE_SHORT_INTEGERS_H */
