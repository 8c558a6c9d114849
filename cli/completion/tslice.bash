# bash completion for @COMMANDS@
#
# The options, and the words that they take, are those that a command lists.
# bash splits words at '=', ':' and '@', and makes a word of each of these, too,
# or of several together; but what it replaces begins with the '@'.
# shellcheck shell=bash

# Sets what is to be completed: $current; and what it belongs to, if to any:
# $option, which is $joined to it or not, or $archive; $at stands before it.
_tslice_split() {
	local n=$COMP_CWORD mark before
	current=${COMP_WORDS[n]} option='' joined='' archive='' at=''
	case $current in
	= | : | @ | =@) mark=$current before=${COMP_WORDS[n - 1]} current='' ;;
	*) mark=${COMP_WORDS[n - 1]} before=${COMP_WORDS[n - 2]-} ;;
	esac
	case $mark in
	*@) at=@ ;;
	esac
	case $mark in
	=*) option=$before joined=yes ;;
	@) option=$before ;;
	:) archive=$before ;;
	-*) option=$mark ;;
	esac
}

_tslice_words() { # WORDS, with blanks or line ends between
	mapfile -t COMPREPLY < <(compgen -W "$1" -- "$current")
}

_tslice_members() { # the arrays of an archive: of lines ARCHIVE:MEMBER: SHAPE
	local line
	tshape -H -- "$archive" 2>/dev/null | while IFS= read -r line; do
		line=${line#"$archive":}
		printf '%s\n' "${line%: (*}"
	done
}

_tslice_files() { # COMPGEN_OPTION...
	compopt -o filenames 2>/dev/null
	mapfile -t -O "${#COMPREPLY[@]}" COMPREPLY < <(
		compgen "$@" -- "$current")
}

# As names of files readline would put a backslash in front of the '@'.
_tslice_files_at() {
	local i name
	mapfile -t COMPREPLY < <(compgen -f -- "$current")
	for i in "${!COMPREPLY[@]}"; do
		printf -v name %q "${COMPREPLY[i]}"
		if [ -d "${COMPREPLY[i]}" ]; then
			name+=/
			compopt -o nospace 2>/dev/null
		fi
		COMPREPLY[i]=@$name
	done
}

# The value of $option; fails if it takes none, or none that stands alone.
_tslice_value() { # LIST
	local kind letter name value words rest
	while IFS=$'\t' read -r kind letter name value words rest; do
		case $kind:$option in
		"option:--$name" | "option:-$letter") ;;
		*) continue ;;
		esac
		case $value in
		-) return 1 ;;
		\[*) [ -n "$joined" ] || return 1 ;;
		esac
		if [ "$words" != - ]; then
			_tslice_words "$words"
		elif [ "$value" = FILE ]; then
			_tslice_files -f
		elif [ "$at" ] && [ "${value%@FILE}" != "$value" ]; then
			_tslice_files_at
		fi
		return 0
	done <<<"$1"
	return 1
}

_tslice() {
	local current option joined archive at list
	COMPREPLY=()
	_tslice_split
	list=$("$1" --list-options 2>/dev/null)
	if [ -n "$archive" ]; then
		_tslice_words "$(_tslice_members)"
	elif [ -n "$option" ] && _tslice_value "$list"; then
		:
	elif [[ $current == -* ]]; then
		_tslice_words "$(sed -n 's/^option	.	\([^	]*\).*/--\1/p' <<<"$list")"
	else
		_tslice_words "$(sed -n 's/^word	//p' <<<"$list")"
		_tslice_files -d
		case ${1##*/} in
		tparse) _tslice_files -f ;;
		*) _tslice_files -f -X '!*.np[yz]' ;;
		esac
	fi
}

complete -F _tslice @COMMANDS@
