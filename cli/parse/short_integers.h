/*
 * short_integers.h - rows of integers of few digits, 64 characters at a time
 */
#ifndef CLI_PARSE_SHORT_INTEGERS_H
#define CLI_PARSE_SHORT_INTEGERS_H

#include "cells.h"

/*
 * short_integers_take() is numbers_take() for rows of integers of at most four
 * digits, with a minus or without, each with one divider behind it, or blanks.
 * It stops before any other, and before the end.
 */
void short_integers_take(struct numbers *n);

#endif /* CLI_PARSE_SHORT_INTEGERS_H */
