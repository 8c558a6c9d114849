#!/usr/bin/env bats
# Files of other kinds are called by their names, with what to do.
# shellcheck disable=SC2154 # bats sets status, output and stderr

load helpers
load ops

# called NAME FILE: it is refused as that, from a file and from a pipe, in one
# line.
called() {
	fails 3 bad_magic tslice "$2" 0
	has "$stderr" "$2: not an .npy file but $1"
	run -3 --separate-stderr tslice - 0 <"$2"
	has "$stderr" "standard input: not an .npy file but $1"
	run -3 --separate-stderr tslice - 0 < <(cat "$2")
	has "$stderr" "standard input: not an .npy file but $1"
}

@test "zip archives that come as a stream, and how they can be read" {
	"${PYTHON:-python3}" -c 'import zipfile, sys
z = zipfile.ZipFile("x.npz", "w")
z.write(sys.argv[1], "a.npy")
z.close()
zipfile.ZipFile("e.npz", "w").close()' "$A"
	run -3 --separate-stderr tslice - 0 <x.npz
	has "$stderr" 'standard input: not an .npy file but a zip archive'
	has "$stderr" 'tslice FILE.npz:NAME'
	tslice x.npz:a 1 -o o.npy
	same "$(items o.npy)" '4 5 6 7'
	run -3 --separate-stderr tslice - 0 < <(cat e.npz)
	has "$stderr" 'standard input: not an .npy file but an empty zip archive'
	requires unzip
	unzip -p x.npz a.npy | tslice - 1 -o o.npy
	same "$(items o.npy)" '4 5 6 7'
}

# packed PROGRAM UNPACKER NAME: what it packs is called that, and what is said
# to unpack it does.
packed() {
	command -v "$1" >/dev/null || return 0
	"$1" <"$A" >x.packed
	called "$3" x.packed
	has "$stderr" "$2 FILE | tslice -"
	"$2" <x.packed | tslice - 1 -o o.npy
	same "$(items o.npy)" '4 5 6 7'
}

@test "what compressors write, and how to unpack it" {
	packed gzip zcat 'gzip data'
	packed xz xzcat 'xz data'
	packed zstd zstdcat 'zstd data'
	packed bzip2 bzcat 'bzip2 data'
	packed lz4 lz4cat 'lz4 data'
}

@test "pickles" {
	local protocol
	for protocol in 2 3 4 5; do
		"${PYTHON:-python3}" -c 'import pickle, sys
pickle.dump({"a": 1}, open("x.pkl", "wb"), int(sys.argv[1]))' "$protocol"
		called 'a Python pickle' x.pkl
	done
}

@test "files of other formats" {
	printf '\211HDF\r\n\032\n\0\0\0\0' >x
	called 'an HDF5 file' x
	printf 'PAR1\25\4\25\0\0\0\0' >x
	called 'a Parquet file' x
	printf 'ARROW1\0\0\0\0\0\0' >x
	called 'an Arrow file' x
	printf 'CDF\1\0\0\0\0\0\0\0\12' >x
	called 'a NetCDF file' x
	printf 'MATLAB 5.0 MAT-file, Platform: x\0' >x
	called 'a MATLAB file' x
	printf '\211PNG\r\n\032\n\0\0\0\15IHDR' >x
	called 'a PNG image' x
	printf '\377\330\377\340\0\20JFIF' >x
	called 'a JPEG image' x
	printf 'II*\0\10\0\0\0\0\0' >x
	called 'a TIFF image' x
}

@test "text" {
	seq 10 >x.csv
	called text x.csv
	has "$stderr" tparse
}

@test "an array that was taken for text on its way" {
	{ printf '\302'; cat "$A"; } >x.npy
	called 'one that was damaged' x.npy
	{ printf '\357\277\275'; tail -c +2 "$A"; } >x.npy
	called 'one that was damaged' x.npy
}

@test "bytes that mean nothing, and too few of them" {
	printf '\1\2\3\4\5\6\7\10' >x
	run -3 --separate-stderr tslice x 0
	same "$stderr" 'tslice: x: not an .npy file'
	head -c 1 "$A" >x
	run -3 --separate-stderr tslice x 0
	same "$stderr" 'tslice: x: not an .npy file: it ends after 1 byte'
	head -c 7 "$A" >x
	run -3 --separate-stderr tslice x 0
	same "$stderr" 'tslice: x: not an .npy file: it ends after 7 bytes'
	printf '\37' >x
	run -3 --separate-stderr tslice x 0
	same "$stderr" 'tslice: x: not an .npy file'
}
