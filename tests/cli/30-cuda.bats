#!/usr/bin/env bats
# --device cuda, with a stand-in for the driver or with a GPU.
# shellcheck disable=SC2154 # bats sets status, output and stderr
# shellcheck disable=SC2030,SC2031 # what a test sets stays in that test

load helpers
load ops

# on_gpu COMMAND...: with the stand-in where that is what there is.
on_gpu() {
	case $TSLICE_CUDA in
	/*) LD_LIBRARY_PATH=$TSLICE_CUDA "$@" ;;
	*) "$@" ;;
	esac
}

# needs gpu | fake | cuda: skips the test without a GPU, one that fails to
# order, a build with CUDA.
needs() {
	case $1:${TSLICE_CUDA:-} in
	*:/* | cuda:real) ;;
	gpu:real) tslice --device cuda "$A" 0 >/dev/null 2>&1 ||
		skip 'no GPU here' ;;
	fake:real) skip 'a real GPU does not fail to order' ;;
	*) skip "${TSLICE_CUDA:-nobody said where a GPU is}" ;;
	esac
}

# fails_on_gpu WORDS COMMAND...: status 5, one line of JSON that has the words.
fails_on_gpu() {
	local words=$1
	shift
	run --separate-stderr on_gpu "$@"
	printf '%s: %s\n' "$*" "$stderr"
	same "$status" 5
	same "$output" ''
	same "$(jq -r '.error | "\(.status) \(.kind)"' <<<"$stderr")" '5 device'
	has "$(jq -r .error.message <<<"$stderr")" "$words"
}

@test "the bytes are those of the CPU, from files and pipes" {
	needs gpu
	local spec order
	for spec in ::-1,1::2 ':,::-1' 1: '...,' 0; do
		for order in C F; do
			tslice --order $order "$A" "$spec" -o want.npy
			on_gpu tslice --device cuda --order $order "$A" "$spec" \
				-o got.npy
			cmp got.npy want.npy
			on_gpu tslice --device cuda:0 --order $order - "$spec" \
				<"$A" >got.npy
			cmp got.npy want.npy
		done
	done
}

@test "the environment asks for it too, and an option is stronger" {
	needs gpu
	TSLICE_DEVICE=cuda on_gpu tslice -v "$A" ::-1 -o o.npy 2>notes
	has "$(cat notes)" 'device cuda:0'
	TSLICE_DEVICE=cuda on_gpu tslice -v --device cpu "$A" ::-1 -o o.npy \
		2>notes
	has "$(cat notes)" 'device cpu'
	TSLICE_DEVICE=cuda on_gpu tslice -v --device auto "$A" ::-1 -o o.npy \
		2>notes
	has "$(cat notes)" 'device cpu'
}

@test "-v tells of the device and its memory" {
	needs gpu
	run -0 --separate-stderr on_gpu tslice -v --device cuda "$A" ::-1 \
		-o o.npy
	matches "$stderr" '.*cuda:0: .*compute capability .* GiB free.*'
}

# not_used WHY COMMAND...: -v says that the device is not, and why.
not_used() {
	local why=$1
	shift
	run -0 --separate-stderr on_gpu "$@" -v --device cuda
	has "$stderr" "$why: the device is not used"
}

@test "-v tells why a device is not used" {
	needs gpu
	not_used 'nothing needs reordering' tslice "$A" 1 -o o.npy
	not_used 'nothing needs reordering' tslice "$A" 1:1 -o o.npy
	not_used 'nothing needs reordering' tcat "$A" "$A" -o o.npy
	not_used 'picked as it is read' tgather "$A" --axis 1 --indices 1,0 \
		-o o.npy
	cp "$A" o.npy
	not_used 'written in place' tassign --in-place o.npy 1 --value 7
	not_used 'written in place' tsetdiag --in-place o.npy --value 7
	head -c 65536 "$B" | npy long.npy '|u1' '(4, 16384)'
	ints rows.npy '(2, 1)' 3 1
	not_used 'long rows are read into place' tgather long.npy rows.npy \
		-o o.npy
	tgather --device cpu long.npy rows.npy | cmp - o.npy
	on_gpu tgather --device cuda - rows.npy <long.npy | cmp - o.npy
	# A launch for each would take some seconds here.
	head -c 65536 "$B" | npy many.npy '|u1' '(8192, 8)'
	printf '\1\0\1\1\0\0\0\1' | npy mask.npy '|b1' '(8,)'
	not_used 'many small tables are gathered from' \
		tgather many.npy mask.npy --axis 1 -o o.npy
	tgather --device cpu many.npy mask.npy --axis 1 | cmp - o.npy
	on_gpu tgather --device cuda - mask.npy --axis 1 <many.npy | cmp - o.npy
}

# on_both COMMAND...: a device is used, and writes what the CPU does.
on_both() {
	"$@" --device cpu -o want.npy
	run -0 --separate-stderr on_gpu "$@" -v --device cuda -o got.npy
	has "$stderr" 'device cuda:0'
	run ! grep 'not used' <<<"$stderr"
	cmp got.npy want.npy
}

@test "fields, masks and byte orders" {
	needs gpu
	local descr="[('a', '|u1'), ('b', '<f8'), ('c', '<i2', (3,))]" f
	head -c 900 "$B" | npy r.npy "$descr" '(5, 12)'
	head -c 60 "$B" | tr '\000-\177\200-\377' '[\000*128][\001*]' |
		npy mask.npy '|b1' '(5, 12)'
	ints points.npy '(4, 2)' 2 3 0 0 1 11 4 0
	for f in a b c; do
		on_both tslice r.npy ::-1 --field $f --byte-order big
		on_both tslice r.npy '::2,::-3' --field $f --order F
		on_both tgather r.npy points.npy --field $f --byte-order big
		on_both tgather r.npy mask.npy --field $f
		on_both tgather r.npy --axis 0 --indices 4,1 --field $f
	done
	on_both tgather r.npy mask.npy --byte-order big
	on_both tslice r.npy '...,::-1' --byte-order big
}

@test "index tuples and diagonals" {
	needs gpu
	ints rows.npy '(3, 1)' 2 0 1
	ints points.npy '(4, 2)' 2 3 0 0 1 2 2 0
	ints diagonal.npy '(3,)' 100 101 102
	ints band.npy '(2, 3)' 100 101 102 103 104 105
	tgather "$A" rows.npy -o want.npy
	on_gpu tgather --device cuda "$A" rows.npy -o got.npy
	cmp got.npy want.npy
	on_gpu tgather --device cuda "$A" points.npy -o got.npy
	same "$(items got.npy)" '11 0 6 8'
	on_gpu tsetdiag --device cuda "$A" diagonal.npy -k 1 -o got.npy
	same "$(items got.npy)" '0 100 2 3 4 5 101 7 8 9 10 102'
	on_gpu tsetdiag --device cuda --order F "$A" band.npy -k 0:1 -o got.npy
	tsetdiag --order F "$A" band.npy -k 0:1 -o want.npy
	cmp got.npy want.npy
}

@test "bad indices are zeros by option, an error by environment" {
	needs gpu
	ints bad.npy '(3, 1)' 2 7 -1
	on_gpu tgather --device cuda "$A" bad.npy -o o.npy
	same "$(items o.npy)" '8 9 10 11 0 0 0 0 0 0 0 0'
	fails 3 index_out_of_range on_gpu_tgather --device cuda \
		--bad-indices error "$A" bad.npy
	TSLICE_DEVICE=cuda fails 3 index_out_of_range on_gpu_tgather "$A" bad.npy
	TSLICE_DEVICE=cuda on_gpu tgather --bad-indices zero "$A" bad.npy |
		cmp - o.npy
}

# 'fails' looks for the command's name in the message.
on_gpu_tgather() {
	on_gpu tgather "$@" 2> >(sed 's/^tgather/on_gpu_tgather/' >&2)
	local status=$?
	wait $!
	return $status
}

@test "nothing is loaded where no GPU is asked for" {
	requires strace
	local command
	export ASAN_OPTIONS=detect_leaks=0
	for command in 'tslice -V' "tslice $A ::-1 -o o.npy" \
		"tslice --device auto $A ::-1 -o o.npy" \
		"tslice --device cuda --explain $A ::-1" "tshape --device cuda $A"
	do
		# shellcheck disable=SC2086 # words
		LD_LIBRARY_PATH=${TSLICE_CUDA:-} strace -f -qq -o log \
			-e trace=open,openat $command >/dev/null 2>&1 || true
		[ -s log ]
		run ! grep -E 'libcuda|nvidia' log
	done
	# A sanitizer brings a C++ library of its own.
	local libraries=cuda
	[ "${TSLICE_MODE:-}" = san ] || libraries='cuda|stdc'
	ldd "$(command -v tslice)" >log
	run ! grep -E "$libraries" log
}

@test "without a driver it is status 5, and nothing is written" {
	needs cuda
	[ "$TSLICE_CUDA" != real ] || skip 'there is a driver'
	if ldconfig -p | grep -q libcuda.so.1; then skip 'there is a driver'; fi
	cp "$OLD" o.npy
	refuses 5 device --device cuda "$A" ::-1 -o o.npy
	has "$stderr" 'no CUDA driver'
	refuses 5 device --device cuda "$A" ::-1
	TSLICE_DEVICE=cuda refuses 5 device "$A" ::-1 -o o.npy
	cmp "$OLD" o.npy
	clean o.npy
	tslice --device auto "$A" ::-1 -o o.npy
}

@test "the code for the devices is where its tools look for it" {
	needs cuda
	requires readelf
	matches "$(tslice -V | grep '^CUDA')" \
		'CUDA [0-9.]+:( sm_[0-9]+)* compute_75( compute_[0-9]+)?'
	has "$(readelf -S -W "$(command -v tslice)")" ' .nv_fatbin '
	requires cuobjdump
	local code kind
	cuobjdump -lelf -lptx "$(command -v tslice)" >log
	for code in $(tslice -V | grep -o '[a-z]*_[0-9]*'); do
		kind=cubin
		[ "${code%_*}" = sm ] || kind=ptx
		has "$(cat log)" ".sm_${code#*_}.$kind"
	done
}

@test "a device that is not there" {
	needs gpu
	fails_on_gpu 'cuda:99' tslice --json --device cuda:99 "$A" ::-1 -o o.npy
	fails_on_gpu 'no such device' tslice --json \
		--device cuda:99999999999999999999 "$A" ::-1 -o o.npy
	clean
	run -2 --separate-stderr tslice --device cuda:x "$A" 1
	run -2 --separate-stderr tslice --device cuda: "$A" 1
}

@test "no device, and a driver that is too old" {
	needs fake
	FAKE_CUDA_DEVICES=0 fails_on_gpu 'no CUDA-capable device' \
		tslice --json --device cuda "$A" ::-1 -o o.npy
	FAKE_CUDA_VERSION=11040 fails_on_gpu \
		'cuda:0: the driver is for CUDA 11.4; this program needs 1' \
		tslice --json --device cuda "$A" ::-1 -o o.npy
	mkdir old
	echo 'int cuInit(unsigned f) { return (int)f; }' >old.c
	if cc -shared -fPIC -o old/libcuda.so.1 old.c 2>/dev/null; then
		TSLICE_CUDA=$PWD/old fails_on_gpu 'too old' \
			tslice --json --device cuda "$A" ::-1 -o o.npy
	fi
	rm -r old old.c
	clean
}

# every_call_fails STICKY NAME...: runs the command in the array 'command' with
# each call of the driver failing in turn, and all after it if STICKY is 1.
# Of what fails while things are given back, in the end, nobody is told.
every_call_fails() {
	local n sticky=$1
	shift
	for n in $(seq 400); do
		cp "$OLD" o.npy
		run --separate-stderr env FAKE_CUDA_FAIL="$n" \
			FAKE_CUDA_STICKY="$sticky" \
			LD_LIBRARY_PATH="$TSLICE_CUDA" "${command[@]}" -o o.npy
		[ "$status" != 0 ] || break
		printf 'call %s: %s\n' "$n" "$stderr"
		same "$status" 5
		has "$stderr" 'unspecified launch failure'
		cmp "$OLD" o.npy
		clean o.npy "$@"
	done
	[ "$n" -gt 20 ]
	cmp o.npy "$BATS_TEST_TMPDIR/want.npy"
}

@test "every call of the driver failing: slices" {
	needs fake
	local -a command=(tslice --device cuda -j 1 "$A" '::-1,::2')
	tslice "$A" '::-1,::2' -o "$BATS_TEST_TMPDIR/want.npy"
	every_call_fails 0
}

@test "every call of the driver failing: index tuples and diagonals" {
	needs fake
	ints points.npy '(4, 2)' 2 3 0 0 1 2 2 0
	ints diagonal.npy '(3,)' 100 101 102
	local -a command=(tgather --device cuda "$A" points.npy)
	tgather "$A" points.npy -o "$BATS_TEST_TMPDIR/want.npy"
	every_call_fails 1 points.npy diagonal.npy
	command=(tsetdiag --device cuda "$A" diagonal.npy)
	tsetdiag "$A" diagonal.npy -o "$BATS_TEST_TMPDIR/want.npy"
	every_call_fails 0 points.npy diagonal.npy
}

@test "a call that fails in the middle of many blocks" {
	needs fake
	local n
	for n in 25 60 200; do
		cp "$OLD" o.npy
		FAKE_CUDA_FAIL=$n FAKE_CUDA_MEMORY=1000000 fails_on_gpu \
			'unspecified launch failure' tslice --json \
			--device cuda "$B" ::-1 -o o.npy
		cmp "$OLD" o.npy
		clean o.npy
	done
	FAKE_CUDA_FAIL=200 FAKE_CUDA_MEMORY=1000000 run on_gpu \
		tslice --device cuda "$B" ::-1
	same "$status" 5
}

@test "files larger than the device's memory, and than ours" {
	needs fake
	local spec order
	export FAKE_CUDA_MEMORY=400000
	for spec in ::-1 ::2 '7::1000'; do
		tslice "$B" "$spec" -o want.npy
		on_gpu tslice --device cuda "$B" "$spec" -o got.npy
		cmp got.npy want.npy
		on_gpu tslice --device cuda --max-memory 1M - "$spec" <"$B" |
			cmp - want.npy
	done
	tail -c +129 "$B" | npy c.npy '<i2' '(2048, 2048)'
	for order in C F; do
		tslice --order $order c.npy ':-1,::3' -o want.npy
		on_gpu tslice --device cuda --order $order c.npy ':-1,::3' \
			-o got.npy
		cmp got.npy want.npy
	done
	tail -c +129 "$B" | head -c 4096 | npy d.npy '<i2' '(2048,)'
	tsetdiag c.npy d.npy -o want.npy
	on_gpu tsetdiag --device cuda c.npy d.npy -o got.npy
	cmp got.npy want.npy
	seq 3000 | while read -r n; do echo $((n * 7919 % 2048)); done >list
	# shellcheck disable=SC2046 # numbers
	ints rows.npy '(3000, 1)' $(cat list)
	tgather c.npy rows.npy -o want.npy
	on_gpu tgather --device cuda c.npy rows.npy -o got.npy
	cmp got.npy want.npy
}

@test "a device with hardly any memory" {
	needs fake
	local n
	for n in 0 100 5000; do
		cp "$OLD" o.npy
		FAKE_CUDA_MEMORY=$n run --separate-stderr on_gpu \
			tslice --json --device cuda "$B" ::-1 -o o.npy
		printf '%s bytes: %s\n' "$n" "$stderr"
		if [ "$status" = 0 ]; then
			tslice "$B" ::-1 | cmp - o.npy
			continue
		fi
		same "$status" 5
		has "$stderr" 'out of memory'
		cmp "$OLD" o.npy
	done
	clean o.npy
}
