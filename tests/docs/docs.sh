#!/usr/bin/env bash
# Holds the documentation to what the commands do.
#
# usage: tests/docs/docs.sh	writes TAP; the commands tested are those on PATH
#
# Every example of README.md and of the manual pages is run, in order, and what
# it shows must be what comes out.  An example is a line "$ command" in a
# ```console block of README.md, or in a literal display of a page; the lines
# after it are its output and errors.  A command that ends in a backslash goes
# on with the next line, which begins with "> ".
#
# An example of a program that few machines have is left out where it is not, and
# so is one of a server, as no test asks anybody for anything.
#
# Options, kinds of errors, methods, targets, pages and files that are named
# must exist, and those that exist must be named.
#
# README.md is for those who have no Python, and its examples use none; what
# they have is this directory's tests/cases.
#
# Environment: PYTHON, an interpreter that has NumPy, for the pages; MANDIR,
# where the pages have been installed.
set -u -o pipefail
export LC_ALL=C.UTF-8
unset TSLICE_DEVICE TSLICE_THREADS TSLICE_MPI CDPATH
# An example that runs make is not a part of the make that runs the tests.
unset MAKEFLAGS MFLAGS MAKELEVEL

top=$(cd "$(dirname "$0")/../.." && pwd) || exit 1
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
pages=("$top"/man/*.[17])
readme=$top/README.md
mapfile -t commands < <(sed -n 's/^\tX(\(t[a-z]*\)).*/\1/p' "$top/cli/applet.h")
names=$(IFS='|' && echo "${commands[*]}")
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

# Among examples, and in DIAGNOSTICS, a display is examples; elsewhere it is if
# it begins with one.
page_lines() {
	awk '
	/^\.S[hs] / { wanted = $2 ~ /^(EXAMPLES|Examples|DIAGNOSTICS)$/ }
	/^\.Bd / { on = $2 == "-literal"; first = on; next }
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
	first && !wanted && !/^\$ / { on = 0; next }
	first && !/^\$ / { print NR ":$ false # no command before this" }
	/\\/ { print NR ":$ false # an escape that is not known here" }
	{ first = 0; gsub(/\001/, "\\"); print NR ":" $0 }' "$1"
}

# says_why STATUS: a command that fails says so, and status 1 is an answer.
says_why() {
	if [ "$1" = 1 ]; then
		grep -qE '(^|[ :])false}?$|differ' "$work/got"
	else
		grep -qE "^($names): |\"error\"" "$work/got"
	fi
}

judge() {	# NAME STATUS
	if ! diff -u --label documented --label got "$work/want" "$work/got" \
		>"$work/diff"; then
		result 1 "$1" "$work/diff"
	elif [ "$2" != 0 ] && ! says_why "$2"; then
		echo "exit status $2, and nothing is said about it" >"$work/diff"
		result 1 "$1" "$work/diff"
	else
		result 0 "$1"
	fi
}

# lacking COMMAND: the program or host that it would need, but that is not here.
lacking() {
	case $1 in
	*-o\ *://*) ;; # nothing is written to one
	*://host/* | *://bucket/*) echo 'such host' ;;
	*unzip\ *) command -v unzip >/dev/null || echo unzip ;;
	*--image*.png*) /sbin/ldconfig -p | grep -F libpng16.so.16 >/dev/null ||
		echo libpng ;;
	esac
}

# Runs the command that has been gathered, if there is one.
play_one() {	# NAME
	local tool
	[ -n "$command" ] || return
	tool=$(lacking "$command")
	if [ -n "$tool" ]; then
		skip "$1:$at: ${command//$'\n'/ }" "no $tool"
		examples=$((examples + 1)) command=
		return
	fi
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
	mkdir -p "$work/$1" && cd "$work/$1" || exit 1
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

mkdir -p "$work/README.md/tests/cases" &&
	cp -R "$top/tests/cases/sample" "$work/README.md/tests/cases" ||
	exit 1
play README.md 3< <(readme_lines "$readme")
readme_lines "$readme" | grep -i python >"$work/python"
none "README.md: no example needs Python" "$work/python"
for page in "${pages[@]}"; do
	play "${page##*/}" 3< <(page_lines "$page")
done

# ---- options --------------------------------------------------------------

# Both print each option as it is typed, -o and --output, sorted.
help_options() {	# COMMAND
	"$1" --help-all | sed -nE 's/^ +((-[a-zA-Z]), )?(--[a-z-]+).*/\2\n\3/p' |
		grep . | sort -u
}

flags() {	# <TEXT OF A PAGE
	grep -v '^\.\\"' | grep -oE '\bFl -?[a-zA-Z][a-z-]*' | sed 's/^Fl /-/' | sort -u
}

# .It Fl o Ar file , Fl -output Ns = Ns Ar file
page_options() {	# PAGE
	sed -n '/^\.It Fl /p' "$1" | flags
}

check_order() {	# PAGE
	sed -nE 's/^\.It Fl -?([a-zA-Z-]+).*/\1/p' "$1" >"$work/order"
	sort -f "$work/order" >"$work/sorted"
	same "${1##*/}: the options are in alphabetical order" \
		"$work/sorted" "$work/order"
}

# What all commands have that make an array is in a page of its own.  There is
# more to say of some of these in the page of a command.
check_options() {	# COMMAND
	local page=$top/man/$1.1
	help_options "$1" >"$work/help"
	page_options "$page" >"$work/items"
	check_order "$page"
	sort -u "$work/items" "$work/common" >"$work/both"
	if ! grep -qx -e --part "$work/help"; then
		# It has some of the others only.
		comm -12 "$work/both" "$work/help" >"$work/some"
		mv "$work/some" "$work/both"
	else
		comm -12 "$work/items" "$work/common" |
			grep -vxE -e '--(device|order|byte-order|field)' \
				>"$work/twice"
		none "$1: what all commands have is described once" \
			"$work/twice"
	fi
	comm -23 "$work/items" "$work/help" >"$work/unknown"
	none "$1: the manual has no option that there is not" "$work/unknown"
	same "$1: help and manual have the same options" \
		"$work/help" "$work/both"
	awk '/^\.S[hs] (Examples|EXAMPLES)/ { shown = 1 }
		/^\.It Fl / && !shown { print; exit }' "$page" >"$work/early"
	none "$1: examples come before options" "$work/early"
}

# A page is about the command it is named after: tslice-spec about tslice.
check_flags() {	# PAGE
	local name=${1##*/}
	name=${name%.*}
	help_options "${name%%-*}" >"$work/help"
	flags <"$1" | comm -23 - "$work/help" >"$work/unknown"
	none "${1##*/}: no option is named that there is not" "$work/unknown"
}

page_options "$top/man/tslice-options.7" >"$work/common"
check_order "$top/man/tslice-options.7"
for command in "${commands[@]}"; do check_options "$command"; done
for page in "${pages[@]}"; do check_flags "$page"; done

for command in "${commands[@]}"; do help_options "$command"; done |
	sort -u >"$work/all-options"
grep -oE -- '(^|[^-[:alnum:]])--[a-z][a-z-]*' "$readme" |
	sed 's/^[^-]//' | sort -u | comm -23 - "$work/all-options" \
	>"$work/unknown"
none "README.md: no option is named that there is not" "$work/unknown"

# ---- kinds of errors ------------------------------------------------------

# "kind status" of each but success.
tr -d '\n' <"$top/lib/base/status.h" |
	grep -oE 'X\(TSL_[A-Z_]+, *"[a-z_]+", *[0-9]+\)' |
	sed -E 's/.*"([a-z_]+)", *([0-9]+)\)/\1 \2/' | grep -v ' 0$' |
	sort >"$work/kinds"

listed_kinds() {	# PAGE...
	sed -nE 's/^\.It Sy ([a-z_]+) Pq ([0-9]+)$/\1 \2/p' "$@" | sort -u
}

# Status 1 is that of the commands that answer questions.
wanted_statuses() {	# COMMAND
	{
		echo 0
		case $1 in tshape | tcmp) echo 1 ;; esac
		cut -d' ' -f2 "$work/kinds"
	} | sort -u
}

check_kinds() {	# COMMAND
	local page=$top/man/$1.1
	listed_kinds "$page" | cut -d' ' -f1 >"$work/listed"
	grep -oE '"kind":"[a-z_]+"' "$page" | cut -d'"' -f4 | sort -u |
		comm -23 - "$work/listed" >"$work/unknown"
	none "$1: the kinds in its examples are in its list" "$work/unknown"
	wanted_statuses "$1" >"$work/statuses"
	awk '/^\.Sh / { on = $2 == "EXIT" } on && /^\.It [0-9]$/ { print $2 }' \
		"$page" >"$work/page-statuses"
	same "$1: source and manual have the same exit statuses" \
		"$work/statuses" "$work/page-statuses"
}

listed_kinds "${pages[@]}" >"$work/page-kinds"
same "source and manual have the same kinds and statuses" \
	"$work/kinds" "$work/page-kinds"
for command in "${commands[@]}"; do check_kinds "$command"; done

# ---- methods --------------------------------------------------------------

# "name N" of each, N being how many arguments it takes.
sed -nE 's/^\t\{ "([a-z-]+)", (NO|ONE|TWO)_[A-Z]+,.*/\1 \2/p' \
	"$top/cli/operand/shape_methods.c" |
	sed 's/NO$/0/; s/ONE$/1/; s/TWO$/2/' | sort >"$work/methods"
awk '/^\.It Cm / { print $3, (NF > 3) * (NF - 4) }' "$top/man/tshape.1" |
	sort >"$work/page-methods"
same "tshape: source and manual have the same methods" \
	"$work/methods" "$work/page-methods"

# ---- names ----------------------------------------------------------------

grep -oE '(^|`)make [a-z][a-z-]*' "$readme" | sed 's/.*make //' | sort -u |
	while read -r target; do
		grep -qE "^$target( [a-z]+)*:" "$top/Makefile" || echo "$target"
	done >"$work/targets"
none "README.md: every target of make exists" "$work/targets"

# shellcheck disable=SC2016 # backquotes, as they stand in the text
grep -ohE '`(lib|npyio|cli|cuda|tests|man|\.ci)/([^` ]*(/|\.[a-z]+))?`' "$readme" \
	"$top"/{lib,cuda,tests,tests/bench}/README.md | tr -d '`' |
	sort -u | while read -r path; do
		[ -e "$top/$path" ] || echo "$path"
	done >"$work/paths"
none "README.md, and pages of rooms: every file that is named exists" \
	"$work/paths"

# Those that a link or a picture leads to.
grep -oE '\]\([^):]+\)|src="[^":]+"' "$readme" |
	sed -E 's/^(\]\(|src=")//; s/[)"]$//' | sort -u | while read -r path; do
		[ -e "$top/$path" ] || echo "$path"
	done >"$work/links"
none "README.md: what its links lead to exists" "$work/links"

for command in "${commands[@]}"; do
	readme_lines "$readme" | grep -E "(\\$|[|(;]) $command " >/dev/null ||
		echo "$command"
done >"$work/unknown"
none "README.md: every command is shown" "$work/unknown"

# ---- pages ----------------------------------------------------------------

lint_page() {	# PAGE
	local name=${1##*/}
	if ! command -v mandoc >/dev/null; then
		skip "mandoc has nothing against $name" "no mandoc"
		return
	fi
	mandoc -T lint -W warning "$1" >"$work/lint" 2>&1
	none "mandoc has nothing against $name" "$work/lint"
}

# What is left when lines are joined and all that sets them is gone.
letters() {
	sed '1d;$d' | tr -d ' \t\n' | sed 's/[-‐–—−]//g' | fold -w 60
	echo
}

# What one of the two that show pages forgives the other may garble.
compare_renderings() {	# PAGE
	local name=${1##*/}
	if ! command -v mandoc >/dev/null || ! command -v groff >/dev/null; then
		skip "groff shows $name as mandoc does" "no mandoc, or no groff"
		return
	fi
	mandoc -T utf8 "$1" | col -bx | letters >"$work/mandoc"
	groff -ww -mdoc -Tutf8 -P-cbou "$1" 2>"$work/groff-says" | letters \
		>"$work/groff"
	none "groff has nothing against $name" "$work/groff-says"
	same "groff shows $name as mandoc does" "$work/mandoc" "$work/groff"
}

check_installed() {	# PAGE
	local name=${1##*/}
	if [ -z "${MANDIR:-}" ]; then
		skip "$name is installed" "MANDIR is not set"
		return
	fi
	cmp "$1" "$MANDIR/man${name##*.}/$name" >"$work/cmp" 2>&1
	result $? "$name is installed" "$work/cmp"
}

for page in "${pages[@]}"; do
	lint_page "$page"
	compare_renderings "$page"
	check_installed "$page"
done

printf '%s\n' "${commands[@]}" | sort >"$work/commands"
(cd "$top/man" && printf '%s\n' *.1) | sed 's/\.1$//' | sort \
	>"$work/command-pages"
same "every command has a page" "$work/commands" "$work/command-pages"

# What is referred to is there, and tslice(1) refers to all.
printf '%s\n' "${pages[@]##*/}" | sort >"$work/names"
references() {	# PAGE...
	cat "$@" | grep -oE '\bXr [a-z-]+ [0-9]' | sed 's/^Xr //; s/ /./' |
		sort -u
}
references "${pages[@]}" >"$work/references"
same "every page is referred to, and every reference leads to a page" \
	"$work/names" "$work/references"
grep -vx 'tslice\.1' "$work/names" >"$work/others"
references "$top/man/tslice.1" >"$work/references"
same "tslice(1) refers to all other pages" "$work/others" "$work/references"

echo "1..$tests"
[ "$failed" = 0 ]
