#!/usr/bin/env bats
# Disks that are full, small or not to be written, and /dev/full.
# shellcheck disable=SC2154 # bats sets status, output and stderr
# shellcheck disable=SC2016 # other shells expand what is in single quotes

load helpers
load ops
load faults

# lost COMMAND...: what it prints goes to a full disk, and it says so.
lost() {
	run -4 --separate-stderr bash -c 'exec "$@" >/dev/full' - "$@"
	printf '%s\n' "$*"
	same "$(wc -l <<<"$stderr")" 1
	has "$stderr" 'No space left on device'
}

@test "a file system that is too small for a copy keeps the old file" {
	requires_small_disk
	on_small_disk size=64k 'cp "$1" o.npy
		s=0; tslice "$2" ... -o o.npy 2>../err || s=$?
		[ $s = 4 ]; cmp "$1" o.npy; [ "$(ls -A)" = o.npy ]' "$OLD" "$B"
	one_line "$(cat err)"
	has "$(cat err)" 'No space left'
}

@test "a file system that is too small for any kind of slice" {
	requires_small_disk
	local spec
	for spec in ::-1 ::4 1:,None '::-2'; do
		on_small_disk size=64k 's=0; cp "$1" o.npy
			tslice "$2" "$3" -o o.npy 2>/dev/null || s=$?
			[ $s = 4 ]; cmp "$1" o.npy; [ "$(ls -A)" = o.npy ]' \
			"$OLD" "$B" "$spec"
	done
}

@test "a stream that fills the file system leaves nothing behind" {
	requires_small_disk
	on_small_disk size=64k 's=0; cp "$1" o.npy
		cat "$2" | tslice - 1: -o o.npy 2>/dev/null || s=$?
		[ $s = 4 ]; cmp "$1" o.npy; [ "$(ls -A)" = o.npy ]' "$OLD" "$B"
}

@test "a stream that has to be kept, and no room to keep it in" {
	requires_small_disk
	tslice "$B" ::-1 -o want.npy
	# It is kept in memory, or the command says that it cannot be.
	on_small_disk size=64k 's=0; export TMPDIR=$PWD
		cat "$1" | tslice - ::-1 -o ../o.npy 2>../err || s=$?
		[ -z "$(ls -A)" ]; echo $s >../status' "$B"
	if [ "$(cat status)" = 0 ]; then
		cmp want.npy o.npy
	else
		same "$(cat status)" 4
		one_line "$(cat err)"
		[ ! -e o.npy ]
	fi
}

@test "room for the new file but not beside the old one" {
	requires_small_disk
	head -c 40000 /dev/zero | npy in.npy '|u1' '(40000,)'
	on_small_disk size=64k 'cp ../in.npy o.npy; s=0
		tslice ../in.npy ::-1 -o o.npy 2>/dev/null || s=$?
		[ $s = 4 ]; cmp ../in.npy o.npy; [ "$(ls -A)" = o.npy ]
		rm o.npy; tslice ../in.npy ::-1 -o o.npy
		cmp ../in.npy o.npy; [ "$(ls -A)" = o.npy ]'
}

@test "no room for as much as another name" {
	requires_small_disk
	on_small_disk size=64k,nr_inodes=2 'cp "$1" o.npy; s=0
		tslice "$2" ... -o o.npy 2>../err || s=$?
		[ $s = 4 ]; cmp "$1" o.npy; [ "$(ls -A)" = o.npy ]' "$OLD" "$A"
	one_line "$(cat err)"
}

@test "a file system that may only be read" {
	requires_small_disk
	on_small_disk size=64k 'cp "$1" o.npy; cp "$2" a.npy
		mount -o remount,bind,ro "$PWD"; s=0
		tslice a.npy ... -o o.npy 2>../err || s=$?
		[ $s = 4 ]; cmp "$1" o.npy
		s=0; tslice a.npy ... -o p.npy 2>>../err || s=$?
		[ $s = 4 ]; tslice a.npy ... -o ../p.npy' "$OLD" "$A"
	cmp "$A" p.npy
	same "$(grep -c 'Read-only file system' err)" 2
}

@test "a result on another file system than its input and TMPDIR" {
	requires_small_disk
	on_small_disk size=64k 'tslice "$1" ::-1 -o o.npy
		tslice "$1" ::-1 | cmp - o.npy; [ "$(ls -A)" = o.npy ]' "$A"
}

@test "a link to a name on another file system" {
	requires_small_disk
	on_small_disk size=64k 'cp "$1" r.npy; ln -s "$PWD/r.npy" ../l.npy
		tslice "$2" ... -o ../l.npy; cmp "$2" r.npy
		[ "$(ls -A)" = r.npy ]' "$OLD" "$A"
	[ -L l.npy ]
	clean disk l.npy
}

@test "gathering and diagonals fill a file system" {
	requires_small_disk
	head -c 90000 /dev/zero | npy m.npy '|u1' '(300, 300)'
	head -c 300 /dev/zero | npy d.npy '|u1' '(300,)'
	head -c 300 /dev/zero | npy i.npy '|u1' '(300, 1)'
	on_small_disk size=64k 'cp "$1" o.npy
		for c in "tgather ../m.npy ../i.npy" "tsetdiag ../m.npy ../d.npy"
		do
			s=0; $c -o o.npy 2>/dev/null || s=$?
			[ $s = 4 ]; cmp "$1" o.npy; [ "$(ls -A)" = o.npy ]
		done' "$OLD"
}

@test "text that fills a file system" {
	requires_small_disk
	head -c 48000 /dev/zero | npy in.npy '|u1' '(8000, 3, 2)'
	on_small_disk size=4k 's=0; cp "$1" o.txt
		tslice ../in.npy --print :900,0 -o o.txt 2>../err || s=$?
		[ $s = 4 ]; cmp "$1" o.txt; [ "$(ls -A)" = o.txt ]' "$OLD"
	one_line "$(cat err)"
}

@test "with room again the same command works" {
	requires_small_disk
	head -c 40000 /dev/zero | npy in.npy '|u1' '(40000,)'
	on_small_disk size=64k 'head -c 60000 /dev/zero >ballast; s=0
		tslice ../in.npy ... -o o.npy 2>/dev/null || s=$?
		[ $s = 4 ]; rm ballast; tslice ../in.npy ... -o o.npy
		cmp ../in.npy o.npy; [ "$(ls -A)" = o.npy ]'
}

@test "/dev/full: data of every command" {
	ints i.npy '(1, 1)' 0
	ints m.npy '(2, 2)' 1 2 3 4
	ints d.npy '(2,)' 5 6
	lost tslice "$A" ...
	lost tslice "$A" :0
	lost tslice "$B" ::-1
	lost tgather "$A" i.npy
	lost tsetdiag m.npy d.npy
	lost tslice "$A" ... -o -
	lost tslice "$A" ... -o /dev/stdout
	lost tslice "$A" ... -o /dev/fd/1
}

@test "/dev/full: text and JSON of every command" {
	lost tslice --print "$A" 1
	lost tslice --explain "$A" 1
	lost tslice --explain --json "$A" 1
	lost tslice --explain 1
	lost tshape "$A"
	lost tshape --json "$A"
	lost tshape -l "$A" "$B"
	lost tshape '(2, 3)' size
}

@test "/dev/full: an answer that is no is status 4 when it is lost" {
	run -1 tshape '(2, 3)' is-scalar
	lost tshape '(2, 3)' is-scalar
	lost tshape '(2, 3)' is-matrix
}

@test "/dev/full: help and version of every command" {
	local command
	for command in $(commands); do
		lost "$command" --help
		lost "$command" --version
	done
}

@test "/dev/full as a name is written in place, and stays a device" {
	ints i.npy '(1, 1)' 0
	run -4 --separate-stderr tgather "$A" i.npy -o /dev/full
	has "$stderr" 'tgather: /dev/full: '
	run -4 --separate-stderr tslice --print "$A" 0 -o /dev/full
	has "$stderr" 'No space left'
	ln -s /dev/full l.npy
	run -4 --separate-stderr tslice "$A" 0 -o l.npy
	has "$stderr" 'No space left'
	[ -c /dev/full ]
	[ -L l.npy ]
}

@test "/dev/full as standard error loses the message, not the status" {
	run -3 bash -c 'tslice "$1" 99 -o o.npy 2>/dev/full' - "$A"
	same "$output" ''
	run -2 bash -c 'tslice 2>/dev/full'
	run -4 bash -c 'tslice missing.npy 0 >/dev/full 2>/dev/full'
	clean
}

@test "/dev/full as standard error does not spoil a result" {
	bash -c 'tslice -v "$1" 1: -o o.npy 2>/dev/full' - "$A"
	tslice "$A" 1: | cmp - o.npy
}

@test "/dev/full as an input is endless zeros, and no array" {
	refuses 3 bad_magic /dev/full 0
}

@test "zeros that are holes, and a disk that is full before they are written" {
	requires_small_disk
	requires numpy
	"${PYTHON:-python3}" -c 'import numpy as np
np.save("at.npy", np.arange(0, 30000, 3)[:, None])
np.save("new.npy", np.ones((10000, 8)))'
	on_small_disk size=256k 's=0; cp "$1" o.npy
		tscatter --shape 30000,8 "$2" "$3" -o o.npy 2>../err || s=$?
		[ $s = 4 ]; cmp "$1" o.npy; [ "$(ls -A)" = o.npy ]' \
		"$OLD" "$PWD/at.npy" "$PWD/new.npy"
	matches "$(cat err)" 'tscatter: o.npy: [^
]*No space left on device'
}
