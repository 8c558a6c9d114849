/*
 * zip_records.h - the numbers in the records of a zip archive, for who reads
 * and who writes them
 *
 * Source: PKWARE, APPNOTE.TXT, version 6.3.10.
 */
#ifndef NPYIO_ZIP_RECORDS_H
#define NPYIO_ZIP_RECORDS_H

#define NPYIO_ZIP_LOCAL_SIGNATURE 0x04034b50u
#define NPYIO_ZIP_ENTRY_SIGNATURE 0x02014b50u
#define NPYIO_ZIP_END_SIGNATURE 0x06054b50u
#define NPYIO_ZIP_LOCATOR_SIGNATURE 0x07064b50u
#define NPYIO_ZIP_ZIP64_SIGNATURE 0x06064b50u

#define NPYIO_ZIP_ENTRY_NBYTES 46
#define NPYIO_ZIP_END_NBYTES 22
#define NPYIO_ZIP_LOCATOR_NBYTES 20
#define NPYIO_ZIP_ZIP64_NBYTES 56

/* A bit of the flags: the name is in that encoding. */
#define NPYIO_ZIP_UTF8 0x800u

/* The two stand for what did not fit: it is in a zip64 field, or record. */
#define NPYIO_ZIP_FULL16 0xffffu
#define NPYIO_ZIP_FULL32 0xffffffffu

/* An extra field is its number, how many bytes follow, and these. */
#define NPYIO_ZIP_ZIP64_FIELD 1
#define NPYIO_ZIP_FIELD_NBYTES 4

#endif /* NPYIO_ZIP_RECORDS_H */
