#!/usr/bin/env bats
# Outputs that share blocks with the input that they are made of.
# shellcheck disable=SC2154 # bats sets status, output and stderr
# shellcheck disable=SC2016 # the inner shell expands it
# shellcheck disable=SC2031 # a function called in a test sees its status

load helpers

# $IN is 2 MiB of rows of 4 KiB; $ROW goes to one of them, $AT names three.
setup_file() {
	export IN=$BATS_FILE_TMPDIR/in.npy ROW=$BATS_FILE_TMPDIR/row.npy
	export AT=$BATS_FILE_TMPDIR/at.npy ROWS=$BATS_FILE_TMPDIR/rows.npy
	export DIAGONAL=$BATS_FILE_TMPDIR/d.npy
	seq 1000000 | head -c 2097152 | npy "$IN" '<f4' '(512, 1024)'
	yes row | head -c 4096 | npy "$ROW" '<f4' '(1024,)'
	yes rows | head -c 12288 | npy "$ROWS" '<f4' '(3, 1024)'
	yes diag | head -c 2048 | npy "$DIAGONAL" '<f4' '(512,)'
	le32 7 100 7 | npy "$AT" '<i4' '(3, 1)'
}

# each_file_system SCRIPT: runs it in bash, in a directory that is a file system
# of its own, for every kind that can share blocks; or skips the test.
each_file_system() {
	local fs tried=
	requires root mounts filefrag
	for fs in btrfs xfs; do
		make_and_mount "$fs" : || continue
		tried="$tried $fs"
		run make_and_mount "$fs" "$1"
		printf '%s: status %s\n%s\n' "$fs" "$status" "$output"
		same "$status" 0
	done
	[ -n "$tried" ] || skip 'no btrfs and no XFS can be made and mounted'
}

make_and_mount() {
	local image=$BATS_FILE_TMPDIR/$1.img
	command -v "mkfs.$1" >/dev/null || return
	if [ ! -e "$image" ]; then
		truncate -s 512M "$image"
		"mkfs.$1" -q "$image" >/dev/null 2>&1 || return
	fi
	mkdir -p disk
	unshare -m bash -euc 'mount -o loop -t "$1" "$2" disk 2>/dev/null
		cd disk
		rm -rf ./*
		is_shared() {
			sync
			filefrag -v "$1" | grep -q shared
		}
		eval "$3"' - "$1" "$image" "$2"
}

@test "an output shares blocks with its input, and has its own bytes" {
	tassign "$IN" 5 "$ROW" -o assigned.npy
	tassign "$IN" ':, 3' --value 1 -o column.npy
	tscatter "$IN" "$AT" "$ROWS" -o scattered.npy
	tsetdiag "$IN" "$DIAGONAL" -o set.npy
	want=$PWD
	export want
	each_file_system '
		cp "$IN" in.npy
		tassign in.npy 5 "$ROW" -o assigned.npy
		is_shared assigned.npy
		tassign in.npy ":, 3" --value 1 -o column.npy
		tscatter in.npy "$AT" "$ROWS" -o scattered.npy
		is_shared scattered.npy
		tsetdiag in.npy "$DIAGONAL" -o set.npy
		tslice in.npy -o whole.npy
		is_shared whole.npy
		cmp in.npy "$IN"
		cmp in.npy whole.npy
		for f in assigned column scattered set; do
			cmp "$want/$f.npy" $f.npy
		done
		[ "$(ls -A | grep -c tmp)" = 0 ]'
}

@test "what is written to one of both is not in the other" {
	tassign "$IN" 5 "$ROW" -o want.npy
	want=$PWD/want.npy
	export want
	each_file_system '
		cp "$IN" in.npy
		tassign in.npy 5 "$ROW" -o o.npy
		tassign in.npy ... --value 0 --in-place
		cmp "$want" o.npy
		cp "$IN" in.npy
		tassign in.npy 5 "$ROW" -o o.npy
		tassign o.npy ... --value 0 --in-place
		cmp "$IN" in.npy'
}

@test "an input that is replaced by its own clone" {
	tassign "$IN" 5 "$ROW" -o want.npy
	want=$PWD/want.npy
	export want
	each_file_system '
		cp "$IN" in.npy
		cp --reflink=always in.npy other.npy
		tassign in.npy 5 "$ROW" -o in.npy
		cmp "$want" in.npy
		is_shared in.npy
		cmp "$IN" other.npy'
}

@test "inputs that cannot be shared as they stand" {
	tassign "$IN" 5 "$ROW" -o want.npy
	tassign "$IN" 5 "$ROW" --order F -o want.F.npy
	want=$PWD
	export want
	each_file_system '
		# A header of 64 bytes, as old versions of NumPy wrote it.
		{ printf "\223NUMPY\1\0\106\0%-69s\n" \
			"{\"descr\":\"<f4\",\"fortran_order\":False,\"shape\":(512,1024)}" |
			tr "\"" "\047"; tail -c +129 "$IN"; } >short.npy
		tassign short.npy 5 "$ROW" -o o.npy
		cmp "$want/want.npy" o.npy
		# Another array behind it, and one in front.
		cat "$IN" "$IN" >two.npy
		tassign two.npy 5 "$ROW" -o o.npy
		cmp "$want/want.npy" o.npy
		is_shared o.npy
		{ tslice - -o first.npy; tassign - 5 "$ROW" -o o.npy; } <two.npy
		cmp "$want/want.npy" o.npy
		tassign "$IN" 5 "$ROW" --order F -o o.npy
		cmp "$want/want.F.npy" o.npy
		tassign - 5 "$ROW" <"$IN" -o o.npy
		cmp "$want/want.npy" o.npy'
}

@test "-v says whether the output is a clone" {
	run -0 --separate-stderr tassign -v "$IN" 5 "$ROW" -o "$PWD/o.npy"
	matches "$(grep -cE 'was copied|is a clone' <<<"$stderr")" 1
	run -0 --separate-stderr tassign -v - 5 "$ROW" -o o.npy < <(cat "$IN")
	has "$stderr" 'standard input was copied'
	each_file_system '
		cp "$IN" in.npy
		tassign -v in.npy 5 "$ROW" -o o.npy 2>&1 |
			grep "the output is a clone of in.npy"
		tscatter -v in.npy "$AT" "$ROWS" -o o.npy 2>&1 |
			grep "the output is a clone of in.npy"
		tsetdiag -v in.npy "$DIAGONAL" -o o.npy 2>&1 |
			grep "the output is a clone of in.npy"
		tassign -v in.npy 5 "$ROW" --order F -o o.npy 2>&1 |
			grep "in.npy was copied"'
}

@test "a large clone takes no room, and no time" {
	each_file_system '
		head -c 128 "$IN" | sed "s/(512, 1024), }  /(65536,1024), } /" \
			>big.npy
		fallocate -l 268435584 big.npy
		[ "$(tshape big.npy)" = "(65536, 1024)" ]
		sync
		before=$(df --output=used -k . | tail -1)
		timeout 5 tassign big.npy 5:8 --value 1 -o o.npy
		sync
		after=$(df --output=used -k . | tail -1)
		[ "$(stat -c %s o.npy)" = 268435584 ]
		[ $((after - before)) -lt 4096 ]
		tslice big.npy 8: | cmp - <(tslice o.npy 8:)
		tassign big.npy 5:8 --value 1 -o big.npy
		cmp o.npy big.npy'
}

@test "a clone that finds no room for what is new" {
	each_file_system '
		cp "$IN" in.npy
		cp "$IN" o.npy
		fallocate -l 400M fill || :
		cat /dev/zero >>fill || :
		sync
		status=0
		tassign in.npy ... --value 7 -o o.npy 2>/tmp/said.$$ || status=$?
		said=$(cat /tmp/said.$$)
		rm /tmp/said.$$
		echo "$status $said"
		[ "$status" = 0 ] || {
			[ "$status" = 4 ]
			[ "$(wc -l <<<"$said")" = 1 ]
			cmp "$IN" o.npy
		}
		cmp "$IN" in.npy
		[ "$(ls -A | tr "\n" " ")" = "fill in.npy o.npy " ]'
}
