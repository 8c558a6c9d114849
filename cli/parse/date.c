/*
 * date.c - NumPy's dates and times from text
 */
#include "date.h"

#include "lib/base/ascii.h"

#define S_PER_DAY 86400
#define MAX_DECIMALS 18

/* Wide enough for any sum of parts, and products with what has been checked. */
typedef __int128 wide;

/* What is left of the text, and the finest unit that was in it. */
struct reader {
	const char *at, *end;
	enum time_unit finest;
};

struct moment {
	int64_t year; /* any */
	int month, day; /* from 1 */
	int64_t second; /* of the day */
	int64_t fraction; /* 10^-18 s */
};

static bool
take(struct reader *r, char c)
{
	if (r->at == r->end || *r->at != c)
		return false;
	r->at++;
	return true;
}

/* Two digits, the least and the most that they may be. */
static bool
take_two(struct reader *r, int least, int most, int *value)
{
	if (r->end - r->at < 2 || !tsl_is_digit(r->at[0]) ||
	    !tsl_is_digit(r->at[1]))
		return false;
	*value = 10 * (r->at[0] - '0') + (r->at[1] - '0');
	r->at += 2;
	return *value >= least && *value <= most;
}

/* A sign, perhaps, and four digits or more. */
static bool
take_year(struct reader *r, int64_t *year)
{
	bool minus = take(r, '-');
	const char *first;

	if (!minus)
		take(r, '+');
	first = r->at;
	*year = 0;
	for (; r->at < r->end && tsl_is_digit(*r->at); r->at++)
		if (__builtin_mul_overflow(*year, 10, year) ||
		    __builtin_sub_overflow(*year, *r->at - '0', year))
			return false;
	/* It was counted down: there is one more below zero. */
	if (!minus && *year == INT64_MIN)
		return false;
	*year = minus ? *year : -*year;
	r->finest = TIME_Y;
	/* "-005" is what has four places, with its sign. */
	return r->at - first >= (minus ? 3 : 4);
}

static bool
is_leap(int64_t year)
{
	return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
}

static int
days_in(int64_t year, int month)
{
	static const char days[] = { 31, 28, 31, 30, 31, 30,
				     31, 31, 30, 31, 30, 31 };

	return days[month - 1] + (month == 2 && is_leap(year));
}

static bool
take_date(struct reader *r, struct moment *m)
{
	if (!take_year(r, &m->year))
		return false;
	if (!take(r, '-'))
		return true;
	r->finest = TIME_M;
	if (!take_two(r, 1, 12, &m->month))
		return false;
	if (!take(r, '-'))
		return true;
	r->finest = TIME_D;
	return take_two(r, 1, days_in(m->year, m->month), &m->day);
}

/* Digits behind the point of the second; three of them are a unit. */
static bool
take_fraction(struct reader *r, struct moment *m)
{
	int n = 0;

	for (; r->at < r->end && tsl_is_digit(*r->at); r->at++, n++)
		if (n < MAX_DECIMALS)
			m->fraction = 10 * m->fraction + (*r->at - '0');
	if (n == 0 || n > MAX_DECIMALS)
		return false;
	r->finest = (enum time_unit)(TIME_S + (n + 2) / 3);
	for (; n < MAX_DECIMALS; n++)
		m->fraction *= 10;
	return true;
}

static bool
take_time(struct reader *r, struct moment *m)
{
	static const int most[] = { 23, 59, 59 };
	static const int seconds[] = { 3600, 60, 1 };
	int part;

	for (int i = 0; i < 3; i++) {
		if (i > 0 && !take(r, ':'))
			return true;
		if (!take_two(r, 0, most[i], &part))
			return false;
		m->second += part * seconds[i];
		r->finest = (enum time_unit)(TIME_HOUR + i);
	}
	return !take(r, '.') || take_fraction(r, m);
}

/* Days from 1970-01-01: of whole eras of 400 years, and in one. */
static wide
days_of(const struct moment *m)
{
	/* A year that begins in March has its odd day at the end. */
	wide year = (wide)m->year - (m->month <= 2);
	wide era = (year >= 0 ? year : year - 399) / 400;
	int of_era = (int)(year - era * 400);
	int month = (m->month + 9) % 12;
	int day = (153 * month + 2) / 5 + m->day - 1;

	return era * 146097 + of_era * 365 + of_era / 4 - of_era / 100 + day -
	       719468;
}

static wide
floor_of(wide a, int64_t b)
{
	wide q = a / b;

	return q - (a % b < 0);
}

/* In the unit, rounded down; what cannot fit is not multiplied out. */
static bool
count_units(const struct moment *m, enum time_unit unit, wide *value)
{
	static const int64_t per_second[] = { 1,
					      1000,
					      1000000,
					      1000000000,
					      1000000000000,
					      1000000000000000,
					      1000000000000000000 };
	wide days = days_of(m), seconds = days * S_PER_DAY + m->second;
	wide limit = (wide)1 << 63;
	int64_t per;

	if (unit == TIME_Y)
		*value = (wide)m->year - 1970;
	else if (unit == TIME_M)
		*value = ((wide)m->year - 1970) * 12 + m->month - 1;
	else if (unit == TIME_W || unit == TIME_D)
		*value = floor_of(days, unit == TIME_W ? 7 : 1);
	else if (unit == TIME_HOUR || unit == TIME_MINUTE)
		*value = floor_of(seconds, unit == TIME_HOUR ? 3600 : 60);
	if (unit < TIME_S)
		return true;
	if (seconds > limit || seconds < -limit)
		return false;
	per = per_second[unit - TIME_S];
	*value = seconds * per +
		 m->fraction / (per_second[TIME_AS - TIME_S] / per);
	return true;
}

bool
date_parse(const char *text, size_t len, struct time_step step, int64_t *value)
{
	struct reader r = { text, text + len, TIME_Y };
	struct moment m = { .month = 1, .day = 1 };
	wide count;

	if (!take_date(&r, &m))
		return false;
	if (r.finest == TIME_D && (take(&r, 'T') || take(&r, ' ')) &&
	    !take_time(&r, &m))
		return false;
	/* A week is a count of days, and has no text of its own. */
	if (r.at != r.end ||
	    r.finest > (step.unit == TIME_W ? TIME_D : step.unit) ||
	    !count_units(&m, step.unit, &count))
		return false;
	count = floor_of(count, step.multiple);
	/* The least is what is no time. */
	if (count > INT64_MAX || count <= INT64_MIN)
		return false;
	*value = (int64_t)count;
	return true;
}
