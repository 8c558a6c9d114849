/*
 * image_png.c - a picture as PNG
 *
 * libpng is loaded when it is needed, so that all else starts as fast without
 * it, and runs where there is none.
 */
#include "image_png.h"

#include <dlfcn.h>
#include <setjmp.h>
#include <stdlib.h>

#define SONAME "libpng16.so.16"

/* Its numbers for what a pixel is made of; 8 bits each. */
enum { GRAY = 0, RGB = 2, RGBA = 6 };

typedef void put_function(void *png, unsigned char *bytes, size_t n);
typedef void flush_function(void *png);
typedef void message_function(void *png, const char *message);

/* Of libpng's functions those that are used, as png.h declares them. */
struct library {
	void *handle;
	const char *(*version)(const void *png);
	void *(*create)(const char *version, void *context,
			message_function *error, message_function *warning);
	void *(*create_info)(void *png);
	void (*set_write)(void *png, void *context, put_function *put,
			  flush_function *flush);
	void (*set_header)(void *png, void *info, uint32_t width,
			   uint32_t height, int depth, int color, int interlace,
			   int compression, int filter);
	void (*write_info)(void *png, const void *info);
	void (*write_row)(void *png, const unsigned char *row);
	void (*write_end)(void *png, void *info);
	void (*destroy)(void **png, void **info);
};

struct encoder {
	struct library lib;
	struct picture *m;
	struct npyio_writer *to;
	int64_t written;
	void *png, *info;
	struct pixel *pixels;
	unsigned char *row;
	jmp_buf failed; /* libpng's errors do not return */
	enum tsl_status status;
	struct tsl_error *err;
};

/* ---- the library --------------------------------------------------------- */

static bool
find(const struct library *lib, const char *name, void *function)
{
	void *symbol = dlsym(lib->handle, name);

	/* As POSIX has it; ISO C knows no such conversion. */
	*(void **)function = symbol;
	return symbol;
}

static bool
find_all(struct library *lib)
{
	return find(lib, "png_get_libpng_ver", &lib->version) &&
	       find(lib, "png_create_write_struct", &lib->create) &&
	       find(lib, "png_create_info_struct", &lib->create_info) &&
	       find(lib, "png_set_write_fn", &lib->set_write) &&
	       find(lib, "png_set_IHDR", &lib->set_header) &&
	       find(lib, "png_write_info", &lib->write_info) &&
	       find(lib, "png_write_row", &lib->write_row) &&
	       find(lib, "png_write_end", &lib->write_end) &&
	       find(lib, "png_destroy_write_struct", &lib->destroy);
}

static enum tsl_status
load(struct library *lib, struct tsl_error *err)
{
	lib->handle = dlopen(SONAME, RTLD_NOW | RTLD_LOCAL);
	if (lib->handle && find_all(lib))
		return TSL_OK;
	return tsl_fail(err, TSL_EIO,
			"a picture is written with libpng, but there is no "
			"%s here",
			SONAME);
}

/* ---- what it calls ------------------------------------------------------- */

/* One picture at a time is written, by one thread. */
static struct encoder *running;

static void
fail(void *png, const char *message)
{
	struct encoder *e = running;

	(void)png;
	if (!e->status)
		e->status =
			tsl_fail(e->err, TSL_EMEMORY, "libpng: %s", message);
	longjmp(e->failed, 1);
}

static void
ignore(void *png, const char *message)
{
	(void)png;
	(void)message;
}

static void
put(void *png, unsigned char *bytes, size_t n)
{
	struct encoder *e = running;

	(void)png;
	e->status = npyio_writer_put(e->to, bytes, n, e->written, e->err);
	e->written += (int64_t)n;
	if (e->status)
		longjmp(e->failed, 1);
}

static void
flush(void *png)
{
	(void)png;
}

/* ---- a picture ----------------------------------------------------------- */

static int
color_type(const struct picture *m)
{
	return picture_is_gray(m) ? GRAY : m->channels == 4 ? RGBA : RGB;
}

/* Packs pixels as the colour type has them. */
static void
pack(struct encoder *e, int type)
{
	unsigned char *to = e->row;

	for (int64_t i = 0; i < e->m->width; i++) {
		*to++ = e->pixels[i].red;
		if (type == GRAY)
			continue;
		*to++ = e->pixels[i].green;
		*to++ = e->pixels[i].blue;
		if (type == RGBA)
			*to++ = e->pixels[i].alpha;
	}
}

static void
write_rows(struct encoder *e)
{
	int type = color_type(e->m);

	e->lib.set_header(e->png, e->info, (uint32_t)e->m->width,
			  (uint32_t)e->m->height, 8, type, 0, 0, 0);
	e->lib.write_info(e->png, e->info);
	for (int64_t i = 0; i < e->m->height; i++) {
		e->status = picture_row(e->m, i, NULL, e->m->width, e->pixels,
					e->err);
		if (e->status)
			return;
		pack(e, type);
		e->lib.write_row(e->png, e->row);
	}
	e->lib.write_end(e->png, NULL);
}

/* Nothing here is kept in a variable beyond a jump. */
static void
encode(struct encoder *e)
{
	if (setjmp(e->failed))
		return;
	e->png = e->lib.create(e->lib.version(NULL), e, fail, ignore);
	if (e->png)
		e->info = e->lib.create_info(e->png);
	if (!e->info) {
		e->status = tsl_no_memory(e->err);
		return;
	}
	e->lib.set_write(e->png, e, put, flush);
	write_rows(e);
}

enum tsl_status
image_write_png(struct picture *m, struct npyio_writer *out,
		struct tsl_error *err)
{
	struct encoder e = { .m = m, .to = out, .err = err };

	e.status = load(&e.lib, err);
	if (!e.status) {
		e.pixels = malloc((size_t)m->width * sizeof(*e.pixels));
		e.row = malloc((size_t)m->width * sizeof(struct pixel));
		if (!e.pixels || !e.row)
			e.status = tsl_no_memory(err);
	}
	running = &e;
	if (!e.status)
		encode(&e);
	if (e.png)
		e.lib.destroy(&e.png, &e.info);
	free(e.pixels);
	free(e.row);
	return e.status;
}
