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
			sync "$1"
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

@test "-v says what is shared, and --explain what may be" {
	run -0 --separate-stderr tassign -v "$IN" 5 "$ROW" -o "$PWD/o.npy"
	matches "$(grep -cE 'was copied|are shared' <<<"$stderr")" 1
	run -0 --separate-stderr tassign -v - 5 "$ROW" -o o.npy < <(cat "$IN")
	has "$stderr" 'standard input was copied'
	each_file_system '
		cp "$IN" in.npy
		tassign -v in.npy 5 "$ROW" -o o.npy 2>&1 |
			grep " bytes are shared with in.npy, not copied"
		tscatter -v in.npy "$AT" "$ROWS" -o o.npy 2>&1 |
			grep " bytes are shared with in.npy, not copied"
		tsetdiag -v in.npy "$DIAGONAL" -o o.npy 2>&1 |
			grep " bytes are shared with in.npy, not copied"
		tassign -v in.npy 5 "$ROW" --order F -o o.npy 2>&1 |
			grep "in.npy was copied"
		# All but the ends, each less than a block of 4 KiB.
		tslice -v in.npy 64:256 -o o.npy 2>&1 |
			grep " 782336 bytes are shared with in.npy, not copied"
		tcat -v in.npy in.npy -o o.npy 2>&1 |
			grep " bytes are shared with the inputs, not copied"
		! tslice -v in.npy ":, 1:" -o o.npy 2>&1 | grep shared
		tslice --explain in.npy 64:256 | grep "shared or read into place"
		! tslice --explain in.npy 64:66 | grep shared
		! tslice --explain in.npy ":, 1:" | grep shared'
}

@test "what stands in the output as it is, is shared, wherever that is" {
	each_file_system '
		cp "$IN" in.npy
		shares() { # COMMAND...: what it writes, and to a pipe
			"$@" -o o.npy
			"$@" | cmp - o.npy
			is_shared o.npy
			rm o.npy
		}
		tslice in.npy --reshape 4,128,1024 -o planes.npy
		tslice in.npy --reshape 4,131072 -o rows.npy
		tslice planes.npy -T -o fortran.npy
		shares tslice in.npy 64:
		shares tslice in.npy ...
		shares tslice in.npy None,100:300
		shares tslice in.npy --reshape -1
		shares tslice planes.npy 1:
		shares tslice planes.npy 3::-1
		shares tslice planes.npy ::2,32:
		shares tslice rows.npy 3:0:-2
		shares tslice fortran.npy ...,1:3
		shares tcat in.npy in.npy
		shares tcat --new-axis 0 in.npy in.npy in.npy
		tcat --order F --axis -1 fortran.npy fortran.npy -o o.npy
		is_shared o.npy
		tslice o.npy ...,4: | cmp - fortran.npy
		tslice in.npy -o grown.npy
		tcat --append grown.npy in.npy
		is_shared grown.npy
		tcat in.npy in.npy | cmp - grown.npy
		cat in.npy planes.npy | tslice - --all -o two.npy
		cat in.npy planes.npy >both.npy
		tslice both.npy --all ... -o o.npy
		cmp both.npy o.npy
		cmp in.npy "$IN"'
}

@test "every place in a block that an input and an output can begin and end at" {
	each_file_system '
		# Bytes behind a header of any length; N of them, from FROM on.
		array() { # HEADER
			printf "\223NUMPY\1\0"
			printf "\\$(printf %o $((($1 - 10) % 256)))\\$(
				printf %o $((($1 - 10) / 256)))"
			printf "%-$(($1 - 11))s\n" "{${Q}descr${Q}:${Q}|u1${Q},${Q}\
fortran_order${Q}:False,${Q}shape${Q}:(1000000,)}"
			tail -c 1000000 "$IN"
		}
		Q=$(printf "\047")
		shared=0
		for header in 128 80 97 129 1000 4095 4096 5000; do
			array $header >in.npy
			# So many bytes on both stand at the same place.
			agree=$(((4096 + 128 - header % 4096) % 4096))
			for from in $agree $((agree + 4096)) $((agree + 1)); do
				for end in 999999 $((from + 266112)) \
					$((from + 270207)); do
					tslice in.npy $from:$end -o o.npy
					tslice in.npy $from:$end | cmp - o.npy
				done
				tcat in.npy in.npy -o o.npy
				tcat in.npy in.npy | cmp - o.npy
				tslice in.npy $from: -o o.npy
				! is_shared o.npy || shared=$((shared + 1))
			done
		done
		[ $shared = 16 ]'
}

@test "many inputs, of which some can be shared and some cannot" {
	each_file_system '
		cp "$IN" in.npy
		tslice in.npy --order F -o f.npy
		tslice in.npy ::-1 -o back.npy
		tslice in.npy :10 -o few.npy
		tslice in.npy ":, ::-1" -o odd.npy
		{ head -c 128 in.npy | sed "s/<f4/>f4/"; tail -c +129 back.npy; } \
			>turned.npy
		set --
		for i in {1..15}; do
			set -- "$@" f.npy in.npy turned.npy back.npy few.npy odd.npy
		done
		tcat -v "$@" -o o.npy 2>said
		grep "are shared with the inputs" said
		is_shared o.npy
		tcat "$@" | cmp - o.npy
		cat in.npy odd.npy | tcat back.npy - in.npy - few.npy -o o.npy
		is_shared o.npy
		tcat back.npy in.npy in.npy odd.npy few.npy | cmp - o.npy
		(ulimit -n 64; tcat "$@" -o o.npy)
		tcat "$@" | cmp - o.npy
		tcat --axis 1 in.npy odd.npy | cmp - <(tcat --axis 1 in.npy \
			odd.npy -o o.npy && cat o.npy)'
}

@test "an input written to afterwards, or the output, and the other is as it was" {
	each_file_system '
		cp "$IN" in.npy
		tslice in.npy 100: -o o.npy
		tcat in.npy in.npy -o both.npy
		tassign in.npy ... --value 0 --in-place
		tslice "$IN" 100: | cmp - o.npy
		tcat "$IN" "$IN" | cmp - both.npy
		tslice both.npy 512: -o in.npy
		cmp "$IN" in.npy
		tassign both.npy 512: --value 1 --in-place
		cmp "$IN" in.npy
		tslice both.npy :512 | cmp - in.npy'
}

@test "where the file system refuses, all is copied" {
	requires strace
	each_file_system '
		export ASAN_OPTIONS=detect_leaks=0
		cp "$IN" in.npy
		tslice in.npy 100: >slice
		tcat in.npy in.npy >both
		tassign in.npy 5 "$ROW" >assigned
		for error in EXDEV EINVAL ENOSYS EOPNOTSUPP ENOTTY ETXTBSY EPERM \
			EBADF ENOSPC EIO; do
			refused() { # COMMAND...
				strace -f -qq -o log -e trace=ioctl \
					-e inject=ioctl:error=$error -- "$@" -o o.npy
				grep -q FICLONERANGE.*INJECTED log
			}
			refused tslice in.npy 100:
			cmp slice o.npy
			refused tcat in.npy in.npy
			cmp both o.npy
			refused tassign in.npy 5 "$ROW"
			cmp assigned o.npy
		done
		# Of several rows or inputs, only the second.
		tslice in.npy --reshape 4,131072 -o rows.npy
		strace -f -qq -o log -e trace=ioctl \
			-e inject=ioctl:error=EINVAL:when=2 -- \
			tslice rows.npy ::-1 -o o.npy
		grep -q INJECTED log
		tslice rows.npy ::-1 | cmp - o.npy
		strace -f -qq -o log -e trace=ioctl \
			-e inject=ioctl:error=EINVAL:when=2 -- \
			tcat rows.npy rows.npy rows.npy -o o.npy
		grep -q INJECTED log
		tcat rows.npy rows.npy rows.npy | cmp - o.npy
		strace -f -qq -o log -e trace=ioctl \
			-e inject=ioctl:error=EINTR:when=1 -- \
			tslice in.npy 100: -o o.npy
		cmp slice o.npy
		is_shared o.npy'
}

@test "an input that becomes shorter before it can be shared" {
	requires strace
	each_file_system '
		export ASAN_OPTIONS=detect_leaks=0
		echo old >o.npy
		for command in "tslice in.npy 100:" "tcat in.npy in.npy" \
			"tassign in.npy 5 $ROW"; do
			cp "$IN" in.npy
			strace -f -qq -o log -e trace=ioctl \
				-e inject=ioctl:delay_enter=700000:when=1 -- \
				$command -o o.npy 2>said &
			until ls -l "/proc/$(tr -d " " \
				</proc/$!/task/$!/children)/fd" 2>/dev/null |
				grep -q in.npy
			do
				kill -0 $!
				sleep 0.02
			done
			truncate -s 1000000 in.npy
			status=0
			wait $! || status=$?
			rm log
			cat said
			[ $status = 4 ]
			[ "$(wc -l <said)" = 1 ]
			grep "became shorter" said
			[ "$(cat o.npy)" = old ]
			[ "$(ls -A | grep -c tmp)" = 0 ]
		done'
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

@test "no room for what cannot be shared" {
	each_file_system '
		cp "$IN" in.npy
		tslice in.npy ::-1 -o back.npy
		tslice in.npy --order F -o f.npy
		echo old >o.npy
		sync
		fallocate -l 400M fill || :
		cat /dev/zero >>fill || :
		sync
		# What is shared needs next to none.
		status=0
		tcat in.npy f.npy back.npy f.npy f.npy f.npy f.npy f.npy f.npy \
			f.npy f.npy -o o.npy 2>/dev/null || status=$?
		[ $status = 4 ]
		[ "$(cat o.npy)" = old ]
		[ "$(ls -A | tr "\n" " ")" = "back.npy f.npy fill in.npy o.npy " ]'
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
