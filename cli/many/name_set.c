/*
 * name_set.c - a set of names, by numbers that stand for them
 *
 * The names of a million files would be more than all else that is kept; 16
 * bytes for each are not.
 */
#include "name_set.h"

#include <stdlib.h>

#define FIRST_ROOM 1024

void
name_set_free(struct name_set *m)
{
	free(m->key);
	*m = (struct name_set){ .n = 0 };
}

/* FNV-1a, whose low bits are then made to depend on all others. */
uint64_t
name_set_key(const char *bytes, size_t len)
{
	uint64_t h = 0xcbf29ce484222325;

	for (size_t i = 0; i < len; i++)
		h = (h ^ (unsigned char)bytes[i]) * 0x100000001b3;
	h = (h ^ h >> 32) * 0xd6e8feb86659fd93;
	h ^= h >> 32;
	return h ? h : 1;
}

/* Where the key is, or would be. */
static size_t
place_of(const struct name_set *m, uint64_t key)
{
	size_t i = (size_t)key & (m->room - 1);

	while (m->key[i] && m->key[i] != key)
		i = (i + 1) & (m->room - 1);
	return i;
}

bool
name_set_has(const struct name_set *m, uint64_t key)
{
	return m->n > 0 && m->key[place_of(m, key)] == key;
}

static enum tsl_status
grow(struct name_set *m, struct tsl_error *err)
{
	struct name_set old = *m;

	m->room = old.room ? 2 * old.room : FIRST_ROOM;
	m->key = calloc(m->room, sizeof(*m->key));
	if (!m->key) {
		*m = old;
		return tsl_no_memory(err);
	}
	for (size_t i = 0; i < old.room; i++)
		if (old.key[i])
			m->key[place_of(m, old.key[i])] = old.key[i];
	free(old.key);
	return TSL_OK;
}

enum tsl_status
name_set_add(struct name_set *m, uint64_t key, struct tsl_error *err)
{
	enum tsl_status status = TSL_OK;
	size_t i;

	if (m->n >= m->room / 4 * 3)
		status = grow(m, err);
	if (status)
		return status;
	i = place_of(m, key);
	m->n += m->key[i] == 0;
	m->key[i] = key;
	return TSL_OK;
}
