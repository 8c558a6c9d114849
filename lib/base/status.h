/*
 * status.h - what can go wrong, by name, and where the words about it go
 *
 * A function that can fail returns an enum tsl_status and takes, as its last
 * argument, a struct tsl_error owned by the caller (NULL: the words are not
 * wanted).  There is no errno interface, no allocation and no global state.
 *
 * The kinds are those of the operations (TensorFlow's strided_slice, gather_nd
 * and matrix_set_diag; java-ndarray's Shape), of the .npy reader, and of the
 * system.  Scripts see them as "kind" in JSON errors; the number is the exit
 * status a command ends with.
 */
#ifndef TSL_STATUS_H
#define TSL_STATUS_H

#include <stdbool.h>
#include <stdint.h>

/* enumerator, kind, exit status */
#define TSL_STATUS_LIST(X)                                    \
	X(TSL_OK, "ok", 0)                                    \
	/* wrong whatever the data */                         \
	X(TSL_EUSAGE, "usage", 2)                             \
	X(TSL_ESYNTAX, "syntax", 2)                           \
	X(TSL_EOVERFLOW, "overflow", 2)                       \
	X(TSL_ETOO_MANY_SPECS, "too_many_specs", 2)           \
	X(TSL_EMULTIPLE_ELLIPSIS, "multiple_ellipsis", 2)     \
	X(TSL_EZERO_STRIDE, "zero_stride", 2)                 \
	X(TSL_EBAD_SHRINK_STRIDE, "bad_shrink_stride", 2)     \
	X(TSL_ELENGTH_MISMATCH, "length_mismatch", 2)         \
	X(TSL_EBAD_ALIGN, "bad_align", 2)                     \
	X(TSL_EBAD_K, "bad_k", 2)                             \
	X(TSL_EK_ORDER, "k_order", 2)                         \
	/* does not fit the shape */                          \
	X(TSL_ETOO_MANY_INDICES, "too_many_indices", 3)       \
	X(TSL_EINDEX_OUT_OF_RANGE, "index_out_of_range", 3)   \
	X(TSL_EBAD_AXIS, "bad_axis", 3)                       \
	X(TSL_ERANK_LIMIT, "rank_limit", 3)                   \
	X(TSL_EBAD_AXES, "bad_axes", 3)                       \
	X(TSL_EBAD_RESHAPE, "bad_reshape", 3)                 \
	X(TSL_ETOO_LARGE, "too_large", 3)                     \
	/* gather_nd */                                       \
	X(TSL_EBAD_INDEX_DTYPE, "bad_index_dtype", 3)         \
	X(TSL_EBAD_RANK, "bad_rank", 3)                       \
	X(TSL_EINDEX_DEPTH, "index_depth", 3)                 \
	X(TSL_EEMPTY_PARAMS, "empty_params", 3)               \
	X(TSL_EBAD_BATCH_DIMS, "bad_batch_dims", 3)           \
	X(TSL_EBATCH_MISMATCH, "batch_mismatch", 3)           \
	/* take */                                            \
	/* matrix_set_diag */                                 \
	X(TSL_EDTYPE_MISMATCH, "dtype_mismatch", 3)           \
	X(TSL_EK_OUT_OF_RANGE, "k_out_of_range", 3)           \
	X(TSL_EDIAG_SHAPE_MISMATCH, "diag_shape_mismatch", 3) \
	/* writing */                                         \
	X(TSL_ESHAPE_MISMATCH, "shape_mismatch", 3)           \
	X(TSL_EDUPLICATE_INDEX, "duplicate_index", 3)         \
	X(TSL_EDUPLICATE_OUTPUT, "duplicate_output", 3)       \
	/* of a structured dtype */                           \
	X(TSL_ENO_FIELD, "no_field", 3)                       \
	/* an element given as text */                        \
	X(TSL_EBAD_VALUE, "bad_value", 3)                     \
	/* the algebra of shapes */                           \
	X(TSL_EUNKNOWN_RANK, "unknown_rank", 3)               \
	X(TSL_EINDEX_OUT_OF_BOUNDS, "index_out_of_bounds", 3) \
	X(TSL_ENEGATIVE_SIZE, "negative_size", 3)             \
	/* is no .npy file, or a broken one */                \
	X(TSL_EEMPTY_FILE, "empty_file", 3)                   \
	X(TSL_EBAD_MAGIC, "bad_magic", 3)                     \
	X(TSL_EBAD_VERSION, "bad_version", 3)                 \
	X(TSL_ETRUNCATED_HEADER, "truncated_header", 3)       \
	X(TSL_EBAD_HEADER, "bad_header", 3)                   \
	X(TSL_EBAD_SHAPE, "bad_shape", 3)                     \
	X(TSL_EBAD_DESCR, "bad_descr", 3)                     \
	X(TSL_EOBJECT_DTYPE, "object_dtype", 3)               \
	X(TSL_ETRUNCATED_DATA, "truncated_data", 3)           \
	X(TSL_ETRAILING_DATA, "trailing_data", 3)             \
	/* has no header, and is too short */                 \
	X(TSL_ETRUNCATED, "truncated", 3)                     \
	/* is no member of an archive, or of a broken one */  \
	X(TSL_ENPZ_MEMBER, "npz_member", 3)                   \
	X(TSL_EBAD_ARCHIVE, "bad_archive", 3)                 \
	/* the system, the device */                          \
	X(TSL_EIO, "io", 4)                                   \
	X(TSL_EMEMORY, "memory", 4)                           \
	X(TSL_EDEVICE, "device", 5)

enum tsl_status {
#define X(name, kind, exit_status) name,
	TSL_STATUS_LIST(X)
#undef X
};

struct tsl_error {
	enum tsl_status code;
	int pos; /* bytes into the slice string; -1: not known */
	int len; /* bytes of it that are at fault */
	int item; /* at fault, of the slice or the inputs; -1: none */
	int sys; /* errno, or 0 */
	const char *subject; /* the file it is about, or NULL; not owned */
	char msg[256]; /* one line, for people; may hold bytes of a file */
};

#define TSL_MUST_USE __attribute__((warn_unused_result))
#define TSL_PRINTF(fmt, args) __attribute__((format(printf, fmt, args)))

/* tsl_status_kind() is the name that scripts know a status by. */
const char *tsl_status_kind(enum tsl_status status);

/* tsl_status_exit() is the exit status of a command that ended with it. */
int tsl_status_exit(enum tsl_status status);

/*
 * tsl_fail() fills 'err', if not NULL, and returns 'code', so that a check
 * reads "return tsl_fail(err, TSL_EBAD_SHAPE, ...)".  No place is recorded.
 */
enum tsl_status tsl_fail(struct tsl_error *err, enum tsl_status code,
			 const char *fmt, ...) TSL_PRINTF(3, 4);

/* tsl_fail_at() is tsl_fail() for bytes [pos, pos + len) of a slice string. */
enum tsl_status tsl_fail_at(struct tsl_error *err, enum tsl_status code,
			    int pos, int len, const char *fmt, ...)
	TSL_PRINTF(5, 6);

/* tsl_fail_item() is tsl_fail() for an item of an encoding, or an input. */
enum tsl_status tsl_fail_item(struct tsl_error *err, enum tsl_status code,
			      int item, const char *fmt, ...) TSL_PRINTF(4, 5);

/*
 * tsl_about() has a failure be about the file 'subject', tsl_about_new() unless
 * it is about another one already.  Both return 'status'.
 */
enum tsl_status tsl_about(enum tsl_status status, const char *subject,
			  struct tsl_error *err);
enum tsl_status tsl_about_new(enum tsl_status status, const char *subject,
			      struct tsl_error *err);

/* tsl_no_memory() is tsl_fail() for a malloc() that did. */
enum tsl_status tsl_no_memory(struct tsl_error *err);

#endif /* TSL_STATUS_H */
