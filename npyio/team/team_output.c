/*
 * team_output.c - the file that several processes are to make
 */
#include "team_output.h"

#include "npyio/file/fd.h"
#include "npyio/input/archive.h"

#include <errno.h>

enum tsl_status
npyio_team_output_find(struct npyio_atomic_file *w, const char *path,
		       bool no_clobber, struct tsl_error *err)
{
	const struct npyio_output_path *at = &w->at;
	enum tsl_status status;
	size_t file_len;

	if (npyio_archive_leads_in(path, &file_len))
		return tsl_fail(err, TSL_EUSAGE,
				"nothing can be written into an archive");
	status = npyio_output_path_find(&w->at, path, err);
	if (status)
		return status;
	if (at->exists && !S_ISREG(at->st.st_mode))
		return tsl_fail(err, TSL_EUSAGE,
				"only a file can be made by several processes");
	if (at->exists && no_clobber) {
		errno = EEXIST;
		return npyio_fail_sys(err, "not replaced");
	}
	return npyio_atomic_file_check(w, err);
}
