/*
 * refine.c - a view cut up so that another shape fits it
 */
#include "refine.h"

/* What is left of a view's innermost dim, and the dims outside of it. */
struct rest {
	struct tsl_view view; /* with the fewest dims */
	int64_t left, stride;
};

/* The next piece, from the innermost on, that 'want' and the view share. */
static int64_t
next_piece(struct rest *r, int64_t want)
{
	if (r->left == 1) {
		r->left = r->view.dim[--r->view.ndim];
		r->stride = r->view.stride[r->view.ndim];
	}
	if (want % r->left == 0)
		return r->left;
	return r->left % want == 0 ? want : 0;
}

static void
take_piece(struct rest *r, int64_t piece)
{
	r->left /= piece;
	/* The product fits where there is more to come. */
	if (r->left > 1)
		r->stride *= piece;
}

static void
reverse(struct tsl_view *v, int first, int n)
{
	for (int i = first, j = first + n - 1; i < j; i++, j--)
		tsl_view_swap_dims(v, i, j);
}

bool
tsl_view_refine(struct tsl_view *v, const struct tsl_shape *shape, int count[])
{
	struct tsl_view fine = { .width = v->width, .offset = v->offset };
	struct rest rest = { .view = *v, .left = 1 };

	tsl_view_merge(&rest.view);
	for (int i = shape->ndim - 1; i >= 0; i--) {
		int64_t want = shape->dim[i];

		for (count[i] = 0; want > 1; count[i]++) {
			int64_t piece = next_piece(&rest, want);

			if (piece == 0)
				return false;
			fine.dim[fine.ndim] = piece;
			fine.stride[fine.ndim++] = rest.stride;
			take_piece(&rest, piece);
			want /= piece;
		}
	}
	/* They were found from the innermost on. */
	reverse(&fine, 0, fine.ndim);
	*v = fine;
	return true;
}

void
tsl_view_reverse_groups(struct tsl_view *v, int n, const int count[])
{
	int first = 0;

	reverse(v, 0, v->ndim);
	for (int i = n - 1; i >= 0; i--) {
		reverse(v, first, count[i]);
		first += count[i];
	}
}

void
tsl_view_permute(struct tsl_view *v, const int axis[])
{
	const struct tsl_view before = *v;

	for (int i = 0; i < v->ndim; i++) {
		v->dim[i] = before.dim[axis[i]];
		v->stride[i] = before.stride[axis[i]];
	}
}
