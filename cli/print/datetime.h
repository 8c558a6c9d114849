/*
 * datetime.h - NumPy's dates and times as text
 */
#ifndef CLI_DATETIME_H
#define CLI_DATETIME_H

#include <stddef.h>
#include <stdint.h>

/* NumPy's units, the longest first; a date without one has TIME_GENERIC. */
enum time_unit {
	TIME_Y,
	TIME_M,
	TIME_W,
	TIME_D,
	TIME_HOUR,
	TIME_MINUTE,
	TIME_S,
	TIME_MS,
	TIME_US,
	TIME_NS,
	TIME_PS,
	TIME_FS,
	TIME_AS,
	TIME_GENERIC,
};

/* What a date or a time span counts. */
struct time_step {
	enum time_unit unit;
	int64_t multiple;
};

#define CALENDAR_TEXT 64 /* with its NUL */

/*
 * datetime_step() reads the unit of a type such as '<M8[25s]', text[0, len),
 * which is well formed.
 */
struct time_step datetime_step(const char *text, size_t len);

/* datetime_unit() writes it as it stands there, "[25s]". */
void datetime_unit(char text[CALENDAR_TEXT], struct time_step step);

/* datetime_date() writes a date that is one, as in ISO 8601. */
void datetime_date(char text[CALENDAR_TEXT], struct time_step step,
		   int64_t value);

/* datetime_span() writes a time span, "5 seconds". */
void datetime_span(char text[CALENDAR_TEXT], struct time_step step,
		   int64_t value);

#endif /* CLI_DATETIME_H */
