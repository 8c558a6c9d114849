/*
 * parse.c - a slice string as the items that stand in it
 */
#include "parse.h"

#include "lex.h"

#include <limits.h>

struct parser {
	struct tsl_lexer lex;
	struct tsl_token token; /* the next one, not yet taken */
	struct tsl_place overflow; /* the first integer that does not fit */
	struct tsl_error *err;
};

static enum tsl_status
advance(struct parser *p)
{
	return tsl_lex(&p->lex, &p->token, p->err);
}

static enum tsl_status
unexpected(struct parser *p, const char *wanted)
{
	const struct tsl_token *t = &p->token;

	if (t->kind == TSL_TOKEN_END)
		return tsl_fail_at(p->err, TSL_ESYNTAX, t->pos, 1,
				   "expected %s at the end", wanted);
	return tsl_fail_at(p->err, TSL_ESYNTAX, t->pos, t->len,
			   "expected %s before '%.*s'", wanted, t->len,
			   p->lex.text + t->pos);
}

static void
note_overflow(struct parser *p)
{
	if (p->token.overflow && p->overflow.len == 0)
		p->overflow = (struct tsl_place){ p->token.pos, p->token.len };
}

/* A bound of a range: an integer, None, or nothing before a colon or comma. */
static enum tsl_status
parse_bound(struct parser *p, struct tsl_item *item, enum tsl_part part)
{
	item->part[part] = (struct tsl_place){ p->token.pos, p->token.len };
	if (p->token.kind == TSL_TOKEN_INT) {
		note_overflow(p);
		item->given[part] = true;
		item->value[part] = p->token.value;
		return advance(p);
	}
	if (p->token.kind == TSL_TOKEN_NONE)
		return advance(p);
	return TSL_OK;
}

/* What follows the first bound of a range: ':' bound [ ':' bound ]. */
static enum tsl_status
parse_range(struct parser *p, struct tsl_item *item)
{
	enum tsl_status status = TSL_OK;

	item->kind = TSL_ITEM_RANGE;
	for (int part = TSL_END; part <= TSL_STEP && !status; part++) {
		if (p->token.kind != TSL_TOKEN_COLON)
			return TSL_OK;
		status = advance(p);
		if (!status)
			status = parse_bound(p, item, (enum tsl_part)part);
	}
	return status;
}

/* An integer or None, which a colon turns into the begin of a range. */
static enum tsl_status
parse_index(struct parser *p, struct tsl_item *item)
{
	bool none = p->token.kind == TSL_TOKEN_NONE;
	enum tsl_status status = parse_bound(p, item, TSL_BEGIN);

	if (status)
		return status;
	if (p->token.kind == TSL_TOKEN_COLON)
		return parse_range(p, item);
	item->kind = none ? TSL_ITEM_NEWAXIS : TSL_ITEM_INDEX;
	return TSL_OK;
}

static enum tsl_status
parse_item(struct parser *p, struct tsl_item *item)
{
	switch (p->token.kind) {
	case TSL_TOKEN_INT:
	case TSL_TOKEN_NONE:
		return parse_index(p, item);
	case TSL_TOKEN_COLON:
		return parse_range(p, item);
	case TSL_TOKEN_ELLIPSIS:
		item->kind = TSL_ITEM_ELLIPSIS;
		return advance(p);
	case TSL_TOKEN_NEWAXIS:
		item->kind = TSL_ITEM_NEWAXIS;
		return advance(p);
	default:
		return unexpected(p, "an index, a range, '...' or None");
	}
}

static bool
at_end(const struct parser *p, bool bracketed)
{
	return p->token.kind == (bracketed ? TSL_TOKEN_CLOSE : TSL_TOKEN_END);
}

/*
 * Items beyond the limit are read into a spare one: the count is judged only
 * when the whole string has been found to be well formed.
 */
static enum tsl_status
parse_items(struct parser *p, struct tsl_spec *spec, bool bracketed,
	    struct tsl_place *excess)
{
	struct tsl_item spare;
	enum tsl_status status;
	int end = 0;

	do {
		struct tsl_item *item = spec->nitems < TSL_MAX_ITEMS
						? &spec->item[spec->nitems++]
						: &spare;
		int begin = p->token.pos;

		*item = (struct tsl_item){ .value = { 0, 0, 1 } };
		status = parse_item(p, item);
		if (status)
			return status;
		/* Blanks before the next token are not the item's. */
		for (end = p->token.pos; end > begin + 1; end--)
			if (p->lex.text[end - 1] != ' ' &&
			    p->lex.text[end - 1] != '\t')
				break;
		item->place = (struct tsl_place){ begin, end - begin };
		if (item == &spare && excess->len == 0)
			*excess = item->place;
		if (p->token.kind != TSL_TOKEN_COMMA)
			return TSL_OK;
		status = advance(p);
	} while (!status && !at_end(p, bracketed));
	return status;
}

/* [ items ] and then nothing; or items and then nothing. */
static enum tsl_status
parse_spec(struct parser *p, struct tsl_spec *spec, struct tsl_place *excess)
{
	enum tsl_status status = advance(p);
	bool bracketed = !status && p->token.kind == TSL_TOKEN_OPEN;

	if (bracketed)
		status = advance(p);
	if (!status)
		status = parse_items(p, spec, bracketed, excess);
	if (!status && bracketed) {
		if (p->token.kind != TSL_TOKEN_CLOSE)
			return unexpected(p, "',' or ']'");
		status = advance(p);
	}
	if (!status && p->token.kind != TSL_TOKEN_END)
		return unexpected(p, bracketed ? "the end" : "','");
	return status;
}

enum tsl_status
tsl_parse(struct tsl_spec *spec, const char *text, size_t len,
	  struct tsl_error *err)
{
	struct parser p = { .lex = { .text = text }, .err = err };
	struct tsl_place excess = { 0, 0 };
	enum tsl_status status;

	if (len > INT_MAX / 2)
		return tsl_fail(err, TSL_ESYNTAX, "the slice is too long");
	p.lex.len = (int)len;
	spec->nitems = 0;
	status = parse_spec(&p, spec, &excess);
	if (status)
		return status;
	if (p.overflow.len > 0)
		return tsl_fail_at(err, TSL_EOVERFLOW, p.overflow.pos,
				   p.overflow.len, "%.*s does not fit in int64",
				   p.overflow.len, text + p.overflow.pos);
	if (excess.len > 0)
		return tsl_fail_at(err, TSL_ETOO_MANY_SPECS, excess.pos,
				   excess.len, "more than %d items",
				   TSL_MAX_ITEMS);
	return TSL_OK;
}

void
tsl_spec_locate(const struct tsl_spec *spec, struct tsl_error *err)
{
	if (err && err->item >= 0 && err->item < spec->nitems && err->pos < 0) {
		err->pos = spec->item[err->item].place.pos;
		err->len = spec->item[err->item].place.len;
	}
}
