/*
 * arrange.c - what may follow a slice, as a command line gives it
 */
#include "arrange.h"

#include "cli/report/message.h"
#include "vectors.h"

int
arrange_check(const struct arrange *a)
{
	if (a->axes && a->transposed)
		return message_usage("-T is an order of the axes already; it "
				     "does not go with --axes");
	return 0;
}

bool
arrange_is_given(const struct arrange *a)
{
	return a->axes || a->transposed || a->sizes;
}

/* How long the list may be depends on an array; all of it is read. */
static enum tsl_status
read_list(struct tsl_arrange_list *list, const char *text, const char *name,
	  struct tsl_error *err)
{
	struct vectors_text t = { .name = name, .at = text };
	bool more = text != NULL;
	enum tsl_status status = TSL_OK;

	*list = (struct tsl_arrange_list){ .given = text };
	while (!status && more) {
		int64_t item;

		status = vectors_next(&t, &item, &more, err);
		if (status || !more)
			break;
		if (list->n < TSL_MAX_DIMS)
			list->item[list->n] = item;
		list->n++;
	}
	return status;
}

enum tsl_status
arrange_compile(struct arrange *a, struct tsl_error *err)
{
	enum tsl_status status =
		read_list(&a->lists.axes, a->axes, "axes", err);

	a->lists.transposed = a->transposed;
	return status ? status
		      : read_list(&a->lists.sizes, a->sizes, "reshape", err);
}
