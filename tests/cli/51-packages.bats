#!/usr/bin/env bats
# What is made of the sources for other machines.
# shellcheck disable=SC2154 # bats sets status and output

load helpers

setup() {
	top=$(cd "$BATS_TEST_DIRNAME/../.." && pwd)
	cd "$BATS_TEST_TMPDIR" || return
	version=$(tslice -V | sed -n '1s/tslice //p')
}

@test "the version is the Makefile's, the program's and the manual's" {
	# shellcheck disable=SC2016 # make expands it
	same "$(make -s -C "$top" --eval 'show: ; @echo $(version)' show)" \
		"$version"
	sed -n '/^\.Sh HISTORY/,/^\.Sh/p' "$MANDIR/man1/tslice.1" |
		grep -qF "$version"
}

# A package of the commands under test, as "make install" leaves them.
packed() {
	mkdir -p stage/usr
	cp -R "$(dirname "$MANDIR")" stage/usr/share
	cp -R "$(dirname "$(type -P tslice)")" stage/usr/bin
	cp -R "$(dirname "$(type -P tslice)")/../libexec" stage/usr/ || :
	(cd "$top" && DEBFULLNAME='A Packager' DEBEMAIL=packager@debian.org \
		.ci/deb "$OLDPWD/stage" "$version") >log 2>&1
}

@test "who makes a package is asked for first" {
	cp "$top/.ci/deb" .
	run -2 --separate-stderr env -u DEBFULLNAME -u DEBEMAIL \
		GIT_DIR=/nowhere HOME="$PWD" XDG_CONFIG_HOME="$PWD" \
		GIT_CONFIG_NOSYSTEM=1 ./deb --who
	has "$stderr" DEBFULLNAME
	run -0 env DEBFULLNAME=A DEBEMAIL=a@b ./deb --who
	same "$output" ''
	# The prerequisite comes before what fetches anything.
	run -0 grep -A1 '^deb: packager ' "$top/Makefile"
}

requires_debian() {
	local tool
	requires release
	for tool in dpkg-shlibdeps strip dpkg-deb; do
		command -v $tool >log || skip "no $tool"
	done
}

@test "a Debian package: commands, links, pages, completion, libraries" {
	requires_debian
	packed
	deb=$(echo "tslice_${version}_"*.deb)
	dpkg-deb -x "$deb" got
	same "$(got/usr/bin/tslice -V)" "$(tslice -V)"
	for c in $(commands | grep -vx tslice); do
		same "$(readlink "got/usr/bin/$c")" tslice
		gzip -t "got/usr/share/man/man1/$c.1.gz"
	done
	[ -f got/usr/share/zsh/vendor-completions/_tslice ]
	# A plugin's MPI is nothing that everybody needs.
	if [ -d stage/usr/libexec ]; then
		has "$(dpkg-deb -f "$deb" Suggests)" mpi
	fi
	run ! grep -i mpi <<<"$(dpkg-deb -f "$deb" Depends)"
	has "$(dpkg-deb -f "$deb" Depends)" libcjson
	has "$(dpkg-deb -f "$deb" Depends)" zlib1g
	has "$(dpkg-deb -f "$deb" Recommends)" 'libisal2, libcurl4'
	same "$(dpkg-deb -f "$deb" Version)" "$version"
	(cd got && dpkg-deb --ctrl-tarfile "../$deb" |
		tar -xO ./md5sums | md5sum --quiet -c)
}

@test "lintian finds no error in the package" {
	requires_debian
	command -v lintian >log || skip 'no lintian'
	packed
	run lintian --allow-root --fail-on error tslice_*.deb
	echo "$output"
	same "$status" 0
}

@test "an archive of the sources has all that is committed" {
	git -C "$top" rev-parse HEAD >log 2>&1 || skip 'no repository'
	make -s -C "$top" dist
	tar -tf "$top/build/tslice-$version.tar.gz" | grep -v '/$' |
		sed "s|^tslice-$version/||" | sort >got
	git -C "$top" ls-tree -r --name-only HEAD | sort >want
	cmp want got
}

@test "the manual as HTML: each page, and links that lead somewhere" {
	local page
	make -s -C "$top" html
	for page in "$top"/man/*.[17]; do
		grep -q '<h1' "$top/build/html/$(basename "$page").html"
	done
	[ -f "$top/build/html/index.html" ]
	grep -ho 'href="[^"#]*\.html' "$top"/build/html/*.html |
		sed 's/^href="//' | sort -u >links
	[ "$(wc -l <links)" -ge 8 ]
	while IFS= read -r page; do
		[ -f "$top/build/html/$page" ]
	done <links
}
