#!/usr/bin/env bash
# Holds the documentation to what the tool does.
#
# usage: tests/docs/docs.sh	writes TAP; the tslice tested is that on PATH
#
# Every example of README.md and of the manual pages is run, in order, and what
# it shows must be what comes out.  An example is a line "$ command" in a
# ```console block of README.md, or in a literal display of a page's EXAMPLES
# or DIAGNOSTICS; the lines after it are its output and errors.  A command that
# ends in a backslash goes on with the next line, which begins with "> ".
#
# Options, kinds of errors, targets and files that are named must exist.
#
# Environment: PYTHON, an interpreter that has NumPy; MANDIR, where the pages
# have been installed.
set -u -o pipefail
export LC_ALL=C.UTF-8
unset TSLICE_DEVICE TSLICE_THREADS CDPATH

top=$(cd "$(dirname "$0")/../.." && pwd) || exit 1
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
pages=("$top/man/tslice.1" "$top/man/tslice-spec.7")
readme=$top/README.md
tests=0 failed=0

# The examples say python3.
python3() {
	command "${PYTHON:-python3}" "$@"
}

# result STATUS NAME [FILE]: one TAP line; FILE tells more of a failure.
result() {
	local name=${2//\#/\\#}
	tests=$((tests + 1))
	if [ "$1" = 0 ]; then
		echo "ok $tests - $name"
		return
	fi
	failed=$((failed + 1))
	echo "not ok $tests - $name"
	if [ -n "${3-}" ]; then sed 's/^/# /' "$3"; fi
}

skip() {	# NAME REASON
	tests=$((tests + 1))
	echo "ok $tests - $1 # SKIP $2"
}

# same NAME WANT GOT: the two files are alike, and not empty.
same() {
	diff -u --label wanted --label got "$2" "$3" >"$work/diff"
	local status=$?
	if [ ! -s "$2" ]; then
		echo "nothing found to compare" >"$work/diff"
		status=1
	fi
	result "$status" "$1" "$work/diff"
}

# none NAME FILE: FILE, a list of what is wrong, is empty.
none() {
	local status=0
	if [ -s "$2" ]; then status=1; fi
	result "$status" "$1" "$2"
}

# ---- examples -------------------------------------------------------------

# Both print "LINE:TEXT" for each line of an example.  A block that does not
# begin with a command gets one that fails.
readme_lines() {
	awk '
	/^```/ { on = !on && $0 == "```console"; first = on; next }
	!on { next }
	first && !/^\$ / { print NR ":$ false # no command before this" }
	{ first = 0; print NR ":" $0 }' "$1"
}

page_lines() {
	awk '
	/^\.Sh / { wanted = $2 == "EXAMPLES" || $2 == "DIAGNOSTICS" }
	/^\.Bd / { on = wanted && $2 == "-literal"; first = on; next }
	/^\.Ed/ { on = 0 }
	!on { next }
	{
		gsub(/\\\(aq/, "\047")
		gsub(/\\\(ha/, "^")
		gsub(/\\&/, "")
		gsub(/\\e/, "\001")
	}
	# The form of an error, in DIAGNOSTICS, is no example.
	first && /"status":N/ { on = 0; next }
	first && !/^\$ / { print NR ":$ false # no command before this" }
	/\\/ { print NR ":$ false # an escape that is not known here" }
	{ first = 0; gsub(/\001/, "\\"); print NR ":" $0 }' "$1"
}

# A command that fails must say so.
judge() {	# NAME STATUS
	if ! diff -u --label documented --label got "$work/want" "$work/got" \
		>"$work/diff"; then
		result 1 "$1" "$work/diff"
	elif [ "$2" != 0 ] && ! grep -q '^tslice: \|"error"' "$work/got"; then
		echo "exit status $2, and nothing is said about it" >"$work/diff"
		result 1 "$1" "$work/diff"
	else
		result 0 "$1"
	fi
}

# Runs the command that has been gathered, if there is one.
play_one() {	# NAME
	[ -n "$command" ] || return
	(exit "$last")
	# In this shell: an example may ask for $? of the one before.
	eval "$command" >"$work/got" 2>&1 </dev/null
	last=$?
	judge "$1:$at: ${command//$'\n'/ }" "$last"
	examples=$((examples + 1))
	command=
}

play() {	# NAME <LINES, on descriptor 3
	local row text at=0 command='' last=0 examples=0
	mkdir "$work/$1" && cd "$work/$1" || exit 1
	while IFS= read -r row <&3; do
		text=${row#*:}
		case $text in
		'$ '*)
			play_one "$1"
			at=${row%%:*} command=${text#??}
			: >"$work/want"
			;;
		'> '*)
			if [ "${command%\\}" != "$command" ] &&
				[ ! -s "$work/want" ]; then
				command+=$'\n'${text#??}
			else
				printf '%s\n' "$text" >>"$work/want"
			fi
			;;
		*) printf '%s\n' "$text" >>"$work/want" ;;
		esac
	done
	play_one "$1"
	[ "$examples" -ge 5 ]
	result $? "$1 has examples ($examples)"
	cd "$work" || exit 1
}

play README.md 3< <(readme_lines "$readme")
for page in "${pages[@]}"; do
	play "${page##*/}" 3< <(page_lines "$page")
done

# ---- options --------------------------------------------------------------

tslice -h >"$work/help"
sed -nE 's/^ +(-[a-zA-Z], )?(--[a-z-]+).*/\2/p' "$work/help" | sort -u \
	>"$work/help-long"
sed -nE 's/^ +(-[a-zA-Z]), --.*/\1/p' "$work/help" | sort -u \
	>"$work/help-short"

# The options that are described, as a list: .It Fl o Ar file , Fl -output
sed -n '/^\.It Fl /p' "${pages[0]}" >"$work/items"
grep -oE 'Fl -[a-z-]+' "$work/items" | sed 's/^Fl /-/' | sort -u \
	>"$work/page-long"
grep -oE 'Fl [a-zA-Z]( |$)' "$work/items" | sed 's/^Fl /-/; s/ $//' |
	sort -u >"$work/page-short"
same "help and manual: the same long options" \
	"$work/help-long" "$work/page-long"
same "help and manual: the same letters" "$work/help-short" "$work/page-short"

sed -nE 's/^\.It Fl -?([a-zA-Z-]+).*/\1/p' "${pages[0]}" >"$work/order"
sort -f "$work/order" >"$work/sorted"
same "the manual's options are in alphabetical order" \
	"$work/sorted" "$work/order"

# Anywhere else, as .Fl -name, or --name in the README.
{
	cat "${pages[@]}" | grep -oE '\bFl -[a-z][a-z-]*' | sed 's/^Fl /-/'
	grep -oE -- '(^|[^-[:alnum:]])--[a-z][a-z-]*' "$readme" |
		sed 's/^[^-]//'
} | sort -u | comm -23 - "$work/help-long" >"$work/unknown"
none "no option is named that there is not" "$work/unknown"

# ---- kinds of errors ------------------------------------------------------

# "kind status" of each but success.
tr -d '\n' <"$top/lib/status.h" |
	grep -oE 'X\(TSL_[A-Z_]+, *"[a-z_]+", *[0-9]+\)' |
	sed -E 's/.*"([a-z_]+)", *([0-9]+)\)/\1 \2/' | grep -v ' 0$' \
	>"$work/kinds"
sed -nE 's/^\.It Sy ([a-z_]+) Pq ([0-9]+)$/\1 \2/p' "${pages[0]}" \
	>"$work/page-kinds"
sort -o "$work/kinds" "$work/kinds"
sort -o "$work/page-kinds" "$work/page-kinds"
same "source and manual: the same kinds and statuses" \
	"$work/kinds" "$work/page-kinds"

{ echo 0; cut -d' ' -f2 "$work/kinds"; } | sort -u >"$work/statuses"
sed -n '/^\.Sh EXIT STATUS/,/^\.Sh [^E]/s/^\.It \([0-9]\)$/\1/p' \
	"${pages[0]}" >"$work/page-statuses"
same "source and manual: the same exit statuses" \
	"$work/statuses" "$work/page-statuses"

# ---- names ----------------------------------------------------------------

grep -oE '(^|`)make [a-z][a-z-]*' "$readme" | sed 's/.*make //' | sort -u |
	while read -r target; do
		grep -qE "^$target( [a-z]+)*:" "$top/Makefile" || echo "$target"
	done >"$work/targets"
none "README.md: every target of make exists" "$work/targets"

# shellcheck disable=SC2016 # backquotes, as they stand in the text
grep -oE '`(lib|npyio|cli|tests|man|\.ci)/[^` ]*`' "$readme" | tr -d '`' |
	sort -u | while read -r path; do
		[ -e "$top/$path" ] || echo "$path"
	done >"$work/paths"
none "README.md: every file that is named exists" "$work/paths"

# ---- pages ----------------------------------------------------------------

for page in "${pages[@]}"; do
	name=${page##*/}
	if ! command -v mandoc >/dev/null; then
		skip "mandoc has nothing against $name" "no mandoc"
	else
		mandoc -T lint -W warning "$page" >"$work/lint" 2>&1
		none "mandoc has nothing against $name" "$work/lint"
	fi
	if [ -z "${MANDIR:-}" ]; then
		skip "$name is installed" "MANDIR is not set"
	else
		cmp "$page" "$MANDIR/man${name##*.}/$name" \
			>"$work/cmp" 2>&1
		result $? "$name is installed" "$work/cmp"
	fi
done

echo "1..$tests"
[ "$failed" = 0 ]
