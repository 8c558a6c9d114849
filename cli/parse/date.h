/*
 * date.h - NumPy's dates and times from text
 */
#ifndef CLI_PARSE_DATE_H
#define CLI_PARSE_DATE_H

#include "cli/print/datetime.h"

#include <stdbool.h>

/*
 * date_parse() reads a date as ISO 8601 writes it, as datetime_date() does, or
 * with less of it: 2020, 2020-02, 2020-02-29, 2020-02-29T12, and so on to
 * fractions of a second; a blank may stand for the T.  There are no time zones.
 *
 * Returns false if it is none, does not fit, or has parts that are finer than
 * the unit.
 */
bool date_parse(const char *text, size_t len, struct time_step step,
		int64_t *value);

#endif /* CLI_PARSE_DATE_H */
