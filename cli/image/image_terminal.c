/*
 * image_terminal.c - a picture drawn on a terminal
 */
#include "image_terminal.h"

#include "cli/report/colour.h"
#include "lib/base/minmax.h"
#include "npyio/format/text.h"

#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>

#define DEFAULT_COLUMNS 80
#define DEFAULT_LINES 24
#define MAX_COLUMNS 1024

#define UPPER_HALF                                                \
	"\xe2\x96\x80" /* of a character, in front; behind: lower \
			*/

struct canvas {
	struct picture *m;
	struct npyio_writer *to;
	bool has_true_color;
	int columns;
	int64_t rows; /* of pixels, two of which a line has */
	int64_t column[MAX_COLUMNS]; /* of the picture, for each of ours */
	struct pixel upper[MAX_COLUMNS], lower[MAX_COLUMNS];
	struct npyio_text line;
	int64_t written;
};

enum tsl_status
image_terminal_check(struct tsl_error *err)
{
	if (colour_is_forbidden())
		return tsl_fail(err, TSL_EUSAGE,
				"--image draws in colours, which NO_COLOR "
				"forbids; -o writes a PNG file");
	if (colour_is_missing())
		return tsl_fail(err, TSL_EUSAGE,
				"--image draws in colours, which a terminal "
				"with TERM=dumb has not; -o writes a PNG file");
	return TSL_OK;
}

static bool
has_true_color(void)
{
	const char *s = getenv("COLORTERM");

	return s && (strcmp(s, "truecolor") == 0 || strcmp(s, "24bit") == 0);
}

/* How much of it a terminal has room for; the prompt wants a line, too. */
static void
measure(int fd, int *columns, int64_t *rows)
{
	struct winsize size = { .ws_col = 0 };

	if (ioctl(fd, TIOCGWINSZ, &size) != 0 || size.ws_col == 0)
		size.ws_col = DEFAULT_COLUMNS;
	if (size.ws_row == 0)
		size.ws_row = DEFAULT_LINES;
	*columns = size.ws_col < MAX_COLUMNS ? size.ws_col : MAX_COLUMNS;
	*rows = 2 * tsl_max(size.ws_row - 1, 1);
}

/*
 * As wide as the terminal, or as high where that would be too high.  In a
 * character two pixels of ours are about square.
 */
static void
fit(struct canvas *c, int fd)
{
	const struct picture *m = c->m;
	int64_t rows;

	measure(fd, &c->columns, &rows);
	c->rows = tsl_max(m->height * c->columns / m->width, 1);
	if (c->rows <= rows)
		return;
	c->rows = rows;
	c->columns = (int)tsl_min(tsl_max(m->width * rows / m->height, 1),
				  c->columns);
}

/* The middle of part i of n, of something 'size' long. */
static int64_t
middle(int64_t i, int64_t n, int64_t size)
{
	return (2 * i + 1) * size / (2 * n);
}

/* What is behind is black. */
static struct pixel
opaque(struct pixel p)
{
	p.red = (unsigned char)(p.red * p.alpha / 255);
	p.green = (unsigned char)(p.green * p.alpha / 255);
	p.blue = (unsigned char)(p.blue * p.alpha / 255);
	p.alpha = 255;
	return p;
}

static void
put_color(struct canvas *c, int layer, struct pixel p)
{
	p = opaque(p);
	if (c->has_true_color)
		npyio_text_printf(&c->line, "\033[%d;2;%d;%d;%dm", layer, p.red,
				  p.green, p.blue);
	else
		npyio_text_printf(&c->line, "\033[%d;5;%dm", layer,
				  colormap_256(p));
}

static bool
is_same(const struct pixel *a, const struct pixel *b)
{
	return memcmp(a, b, sizeof(*a)) == 0;
}

/* A colour that stands already is not said again. */
static enum tsl_status
put_line(struct canvas *c, bool has_lower, struct tsl_error *err)
{
	enum tsl_status status;

	npyio_text_cut(&c->line, 0);
	for (int i = 0; i < c->columns; i++) {
		if (i == 0 || !is_same(&c->upper[i], &c->upper[i - 1]))
			put_color(c, 38, c->upper[i]);
		if (has_lower &&
		    (i == 0 || !is_same(&c->lower[i], &c->lower[i - 1])))
			put_color(c, 48, c->lower[i]);
		npyio_text_puts(&c->line, UPPER_HALF);
	}
	npyio_text_puts(&c->line, "\033[0m\n");
	if (!npyio_text_ok(&c->line))
		return tsl_no_memory(err);
	status = npyio_writer_put(c->to, c->line.s, c->line.len, c->written,
				  err);
	c->written += (int64_t)c->line.len;
	return status;
}

static enum tsl_status
draw(struct canvas *c, struct tsl_error *err)
{
	struct picture *m = c->m;
	int64_t n = c->rows;
	enum tsl_status status = TSL_OK;

	for (int64_t i = 0; i < n && !status; i += 2) {
		bool has_lower = i + 1 < n;

		status = picture_row(m, middle(i, n, m->height), c->column,
				     c->columns, c->upper, err);
		if (!status && has_lower)
			status = picture_row(m, middle(i + 1, n, m->height),
					     c->column, c->columns, c->lower,
					     err);
		if (!status)
			status = put_line(c, has_lower, err);
	}
	return status;
}

enum tsl_status
image_draw(struct picture *m, struct npyio_writer *out, struct tsl_error *err)
{
	struct canvas c = {
		.m = m,
		.to = out,
		.has_true_color = has_true_color(),
	};
	enum tsl_status status;

	fit(&c, npyio_writer_descriptor(out));
	for (int i = 0; i < c.columns; i++)
		c.column[i] = middle(i, c.columns, m->width);
	status = draw(&c, err);
	npyio_text_free(&c.line);
	return status;
}
