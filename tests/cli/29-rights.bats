#!/usr/bin/env bats
# Access control lists: a result gives nobody more than a plain file here, or
# the file it replaces, would have.
# shellcheck disable=SC2154 # bats sets status, output and stderr

load helpers
load ops
load faults

setup() {
	mkdir "$BATS_TEST_TMPDIR/d" && cd "$BATS_TEST_TMPDIR/d" || return
	requires setfacl
	touch probe
	setfacl -m u:1234:r probe 2>/dev/null ||
		skip 'no such lists on this file system'
	rm probe
}

# rights FILE: its list, on one line.
rights() {
	getfacl -cn "$1" | tr -s '\n' ' '
}

# as_before NAME: a result has the rights that the old file had.
as_before() {
	local want
	want=$(rights "$1")
	tslice "$A" ... -o "$1"
	cmp "$A" "$1"
	same "$(rights "$1")" "$want"
}

replaced() {
	cp "$OLD" o.npy
	chmod 600 o.npy
	setfacl -m u:1234:rw o.npy
	as_before o.npy
	setfacl -m g:1234:r,m::r o.npy
	as_before o.npy
	as_before "$PWD/o.npy"
}

@test "a file that is replaced keeps its list" { replaced; }

@test "a file that is replaced keeps its list, with a name all along" {
	without_tmpfile
	replaced
}

no_list_stays_none() {
	mkdir e
	cp "$OLD" e/o.npy
	chmod 640 e/o.npy
	setfacl -d -m u:1234:rwx e
	as_before e/o.npy
	has "$(rights e/o.npy)" 'group::r-- other::---'
}

@test "a file without a list gets none from the directory" {
	no_list_stays_none
}

@test "a file without a list gets none, with a name all along" {
	without_tmpfile
	no_list_stays_none
}

# as_plain LIST...: with these defaults a new result is as any new file.
as_plain() {
	local list
	for list; do
		mkdir e
		setfacl -d -m "$list" e
		(umask 022; echo >e/plain; tslice "$A" ... -o e/o.npy)
		cmp "$A" e/o.npy
		same "$(rights e/o.npy)" "$(rights e/plain)"
		(cd e && tslice "$A" ... -o p.npy)
		same "$(rights e/p.npy)" "$(rights e/plain)"
		rm -r e
	done
}

defaults='o::--- u:1234:rwx u:1234:rw,o::r g::rwx,o::rwx g:1234:r,m::r u::r,g::-,o::-'

@test "a new file heeds the directory's default list" {
	# shellcheck disable=SC2086 # a list
	as_plain $defaults
}

@test "a new file heeds the default list, with a name all along" {
	without_tmpfile
	# shellcheck disable=SC2086 # a list
	as_plain $defaults
}

@test "a list that cannot be kept leaves the group nothing" {
	requires strace
	no_leak_check
	cp "$OLD" o.npy
	chmod 600 o.npy
	setfacl -m u:1234:rw o.npy
	run -0 faulty fsetxattr error=ENOSPC -- tslice "$A" ... -o o.npy
	injected
	same "$(stat -c %a o.npy)" 600
	has "$(rights o.npy)" 'group::---'
}

@test "a list that cannot be read leaves the group nothing" {
	requires strace
	no_leak_check
	cp "$OLD" o.npy
	chmod 660 o.npy
	run -0 faulty lgetxattr error=EIO -- tslice "$A" ... -o o.npy
	injected
	same "$(stat -c %a o.npy)" 600
}

@test "another's group does not get what the list says of the old one" {
	requires root
	cp "$OLD" o.npy
	open_to_all
	setfacl -m u:1234:rw,g::rw o.npy
	chown 65534:65533 o.npy
	unprivileged tslice "$A" ... -o o.npy
	cmp "$A" o.npy
	same "$(stat -c '%u %a' o.npy)" '65534 604'
	has "$(rights o.npy)" 'user::rw- group::---'
}
