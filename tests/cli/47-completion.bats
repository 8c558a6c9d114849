#!/usr/bin/env bats
# Completion, in the shells themselves.
# shellcheck disable=SC2154 # bats sets status and output
# shellcheck disable=SC2016 # other shells expand what is in single quotes

load helpers

setup() {
	cd "$BATS_TEST_TMPDIR" || return
	share=$(dirname "$MANDIR")
	le32 1 2 3 | npy one.npy '<i4' '(3,)'
	mkdir sub
	touch two.npz notes.txt
}

# completed WORD...: what bash has for the last of these, split as it does.
completed() {
	bash -c '. "$1"
		shift
		COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
		_tslice "$1"
		echo "${COMPREPLY[*]}"' - \
		"$share/bash-completion/completions/$1" "$@"
}

@test "bash: options, and no two of a name" {
	local all
	same "$(completed tslice --ord)" --order
	same "$(completed tgather --bad)" --bad-indices
	all=$(completed tslice -)
	has "$all" --max-memory
	same "$(tr ' ' '\n' <<<"$all" | sort | uniq -d)" ''
}

@test "bash: the words of an option, behind a blank or a sign" {
	same "$(completed tslice one.npy --order '')" 'C F'
	same "$(completed tslice one.npy --order =)" 'C F'
	same "$(completed tslice one.npy --order = F)" F
	same "$(completed tslice one.npy --progress = al)" always
	same "$(completed tsetdiag --align = L)" 'LEFT_RIGHT LEFT_LEFT'
}

@test "bash: a value that may be left out is not the next word" {
	same "$(completed tslice --progress '' | tr ' ' '\n' | sort)" \
		"$(printf '%s\n' one.npy sub two.npz)"
}

@test "bash: files of arrays, and any file where one is asked for" {
	same "$(completed tslice o)" one.npy
	same "$(completed tslice s)" sub
	same "$(completed tslice n)" ''
	same "$(completed tslice --encoding n)" notes.txt
	same "$(completed tslice one.npy -o n)" notes.txt
	same "$(completed tslice one.npy -j '')" ''
}

@test "bash: a file behind @, however the word is split" {
	mkdir notes
	same "$(completed tgather one.npy --indices @ no | tr ' ' '\n' | sort)" \
		"$(printf '%s\n' @notes.txt @notes/)"
	same "$(completed tgather one.npy --indices =@ notes.)" @notes.txt
	same "$(completed tgather one.npy --indices @ notes.)" @notes.txt
	has " $(completed tgather one.npy --indices @) " ' @notes.txt '
	same "$(completed tgather one.npy --indices no)" ''
}

@test "bash: methods of tshape" {
	same "$(completed tshape one.npy is-s)" is-scalar
	same "$(completed tshape one.npy take | tr ' ' '\n' | sort)" \
		"$(printf '%s\n' take take-last)"
}

# in_zsh TEXT WANTED: what was typed, with a tab, becomes WANTED.
in_zsh() {
	timeout 30 zsh -f -c 'zmodload zsh/zpty
		zpty -b z "ZDOTDIR=$1 zsh -i"
		zpty -r z seen "*READY*"
		zpty -n -w z "$2"$'\''\t'\''
		zpty -r z seen "*$3*"' - "$PWD" "$1" "$2"
}

@test "zsh: options, their words, files, methods" {
	command -v zsh >/dev/null || skip 'no zsh'
	cat >.zshrc <<-END
		fpath=('$share/zsh/site-functions' \$fpath)
		autoload -U compinit
		compinit -u -D
		PS1=
		echo READY
	END
	in_zsh 'tslice --ord' -- '--order'
	in_zsh 'tslice one.npy --order=' 'C  F'
	in_zsh 'tslice on' one.npy
	in_zsh 'tshape is-s' is-scalar
}

@test "fish: options, their words, files, methods" {
	command -v fish >/dev/null || skip 'no fish'
	try() {
		HOME=$PWD fish -c 'source $argv[1]; complete -C $argv[2]' \
			"$share/fish/vendor_completions.d/tslice.fish" "$1" |
			cut -f 1 | paste -sd ' '
	}
	same "$(try 'tslice --ord')" --order
	same "$(try 'tslice one.npy --order ')" 'C F'
	same "$(try 'tslice on')" one.npy
	same "$(try 'tshape is-s')" is-scalar
}

@test "each command has a file of its own, or a link" {
	local c
	for c in $(commands); do
		[ -f "$share/bash-completion/completions/$c" ]
		[ -f "$share/fish/vendor_completions.d/$c.fish" ]
		has "$(head -n 1 "$share/zsh/site-functions/_tslice") " " $c "
	done
}

@test "nothing is listed that is not an option" {
	local c name
	for c in $(commands); do
		while IFS= read -r name; do
			has "$("$c" --help-all)" "--$name"
		done < <("$c" --list-options | sed -n 's/^option	.	//p' |
			cut -f 1)
		[ "$("$c" --list-options | grep -c ^option)" -ge 8 ]
	done
}
