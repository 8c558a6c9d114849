/*
 * datetime.c - NumPy's dates and times as text
 *
 * The calendar is the Gregorian one for all years, and has no leap seconds.
 */
#include "datetime.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define S_PER_DAY 86400

struct unit {
	const char *code, *words;
	int64_t per_day; /* of an hour or shorter; seconds, if shorter yet */
	int decimals; /* of the second */
};

static const struct unit units[] = {
	[TIME_Y] = { "Y", "years", 0, 0 },
	[TIME_M] = { "M", "months", 0, 0 },
	[TIME_W] = { "W", "weeks", 0, 0 },
	[TIME_D] = { "D", "days", 0, 0 },
	[TIME_HOUR] = { "h", "hours", 24, 0 },
	[TIME_MINUTE] = { "m", "minutes", 24 * 60, 0 },
	[TIME_S] = { "s", "seconds", S_PER_DAY, 0 },
	[TIME_MS] = { "ms", "milliseconds", S_PER_DAY, 3 },
	[TIME_US] = { "us", "microseconds", S_PER_DAY, 6 },
	[TIME_NS] = { "ns", "nanoseconds", S_PER_DAY, 9 },
	[TIME_PS] = { "ps", "picoseconds", S_PER_DAY, 12 },
	[TIME_FS] = { "fs", "femtoseconds", S_PER_DAY, 15 },
	[TIME_AS] = { "as", "attoseconds", S_PER_DAY, 18 },
	[TIME_GENERIC] = { "", "generic time units", 0, 0 },
};

struct time_step
datetime_step(const char *text, size_t len)
{
	const char *open = memchr(text, '[', len);
	struct time_step step = { TIME_GENERIC, 1 };
	size_t n;

	if (!open)
		return step;
	open++;
	if (*open >= '0' && *open <= '9')
		for (step.multiple = 0; *open >= '0' && *open <= '9'; open++)
			step.multiple = 10 * step.multiple + (*open - '0');
	n = strcspn(open, "]");
	for (int i = 0; i < TIME_GENERIC; i++)
		if (strlen(units[i].code) == n &&
		    memcmp(units[i].code, open, n) == 0)
			step.unit = (enum time_unit)i;
	return step;
}

void
datetime_unit(char text[CALENDAR_TEXT], struct time_step step)
{
	const char *code = units[step.unit].code;

	if (step.multiple == 1)
		snprintf(text, CALENDAR_TEXT, "[%s]", code);
	else
		snprintf(text, CALENDAR_TEXT, "[%" PRId64 "%s]", step.multiple,
			 code);
}

/* As NumPy does it: what does not fit wraps. */
static int64_t
product(int64_t a, int64_t b)
{
	return (int64_t)((uint64_t)a * (uint64_t)b);
}

/* Rounds down, and leaves what is over. */
static int64_t
divide(int64_t *value, int64_t by)
{
	int64_t quotient = *value / by;

	*value %= by;
	if (*value < 0) {
		*value += by;
		quotient--;
	}
	return quotient;
}

struct date {
	int64_t year;
	int month, day; /* from 1 */
};

/* Of a number of days since 1970-01-01. */
static struct date
date_of(int64_t days)
{
	/* 400 years have as many days each time; March begins one. */
	static const int64_t era = 146097, epoch = 719468;
	int64_t eras = divide(&days, era);
	int64_t day = days + epoch, year, month;

	eras += divide(&day, era);
	year = (day - day / 1460 + day / 36524 - day / 146096) / 365;
	day -= 365 * year + year / 4 - year / 100;
	month = (5 * day + 2) / 153;
	day -= (153 * month + 2) / 5;
	year += 400 * eras + (month >= 10);
	return (struct date){ year, (int)(month < 10 ? month + 3 : month - 9),
			      (int)day + 1 };
}

/* A year has four digits at least, and then its sign does not count. */
static size_t
put_year(char text[CALENDAR_TEXT], int64_t year)
{
	return (size_t)sprintf(text, "%04" PRId64, year);
}

static size_t
put_day(char text[CALENDAR_TEXT], int64_t days)
{
	struct date date = date_of(days);
	size_t n = put_year(text, date.year);

	return n +
	       (size_t)sprintf(text + n, "-%02d-%02d", date.month, date.day);
}

/*
 * The days of a count of something shorter.  What is over is left: units, or
 * seconds and a fraction.
 */
static int64_t
days_of(const struct unit *u, int64_t *value, int64_t *fraction)
{
	int64_t per_second = 1;

	for (int i = 0; i < u->decimals; i++)
		per_second *= 10;
	*fraction = *value;
	*value = divide(fraction, per_second);
	return divide(value, u->per_day);
}

static void
put_time(char *text, enum time_unit unit, int64_t value, int64_t fraction)
{
	int64_t minute = unit >= TIME_S        ? value / 60
			 : unit == TIME_MINUTE ? value
					       : value * 60;

	text += sprintf(text, "T%02d", (int)(minute / 60));
	if (unit >= TIME_MINUTE)
		text += sprintf(text, ":%02d", (int)(minute % 60));
	if (unit >= TIME_S)
		text += sprintf(text, ":%02d", (int)(value % 60));
	if (unit > TIME_S)
		sprintf(text, ".%0*" PRId64, units[unit].decimals, fraction);
}

void
datetime_date(char text[CALENDAR_TEXT], struct time_step step, int64_t value)
{
	const struct unit *u = &units[step.unit];
	int64_t days, fraction;
	size_t n;

	value = product(value, step.multiple);
	switch (step.unit) {
	case TIME_Y:
		put_year(text, (int64_t)((uint64_t)value + 1970));
		return;
	case TIME_M:
		days = divide(&value, 12);
		n = put_year(text, days + 1970);
		sprintf(text + n, "-%02d", (int)value + 1);
		return;
	case TIME_W:
		put_day(text, product(value, 7));
		return;
	case TIME_D:
		put_day(text, value);
		return;
	case TIME_GENERIC:
		/* NumPy refuses to show one. */
		sprintf(text, "%" PRId64, value);
		return;
	default:
		break;
	}
	days = days_of(u, &value, &fraction);
	n = put_day(text, days);
	put_time(text + n, step.unit, value, fraction);
}

void
datetime_span(char text[CALENDAR_TEXT], struct time_step step, int64_t value)
{
	sprintf(text, "%" PRId64 " %s", product(value, step.multiple),
		units[step.unit].words);
}
