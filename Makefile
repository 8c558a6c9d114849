# make               the commands, in build/release
# make demo          install what is missing, build, slice a real array
# make test          the same for the tests, in some minutes; TESTS="cli/0 docs"
# make test-san      the sanitized build's; test-mpi: installs MPI and tests it
# make test-all      all of these, and more random draws
# make install       what was built; DESTDIR= prefix=/usr/local; make uninstall
# make deb, make dist, make html: a package, the sources, the manual, in build
# make wheel [SUITE=bullseye]: for pip, built on an older Debian, as root
# make lint, make bench [CASES="..."], make fuzz [FUZZ_SECONDS=60], make cov
# make test-gpu, make bench-gpu [MIB=1024]: on a machine with a GPU
# make test-fresh [CELLS="..."]: demo and tests on new machines, as root
# make test-arch [ARCHS="..."]: the sweeps on other processors, emulated
#
# MPICC="mpicc.mpich mpicc.openmpi": a plugin for each, see tslice-mpi(7).
# MODE=release|san|cov|fuzz, CUDA=0|1, O=directory; CFLAGS and the like add to
# what is set here.

MODE   ?= release
O      ?= build/$(MODE)
prefix ?= /usr/local
bindir  = $(DESTDIR)$(prefix)/bin
share   = $(DESTDIR)$(prefix)/share
mandir  = $(share)/man
libexecdir ?= $(prefix)/libexec
plugindir = $(DESTDIR)$(libexecdir)/tslice

# Two builds are tested: beside each other, wherever the first one is.
san_dir := $(if $(filter file,$(origin O)),build/san,$(O)/san)

# make knows no names with blanks: a link stands for such a directory.
ifneq ($(words $(O)),1)
override O := $(or $(shell mkdir -p build/dir '$(O)' && cd '$(O)' && d=$$PWD \
	&& cd '$(CURDIR)' && link=build/dir/$$(echo "$$d" | cksum | tr ' ' -) \
	&& ln -sfn "$$d" "$$link" && echo "$$link"),$(error O= is no directory))
endif

# One binary; the other commands are links to it.
COMMANDS := $(shell sed -n 's/^\tX(\(t[a-z]*\)).*/\1/p' cli/applet.h)
LINKS    := $(filter-out tslice,$(COMMANDS))
MAN      := $(wildcard man/*.1 man/*.7)

# Without nvcc, or without device code, the same tool less the GPU's table.
ifndef NVCC
NVCC := $(firstword $(shell command -v nvcc 2>/dev/null) \
	$(wildcard $(CUDA_HOME)/bin/nvcc))
endif
CUDA ?= $(if $(NVCC),1,0)
cuda_src := $(if $(filter 1,$(CUDA)),$(wildcard cuda/*.cu))

# Code for each of these that this nvcc knows; that takes a minute or two.  PTX,
# which the driver compiles, of the newest for later GPUs, and of the oldest for
# any that is left out.  Sanitized builds, for tests, make do with the latter, as
# does CUDA_ARCHS= (none).
ifneq ($(cuda_src),)
ifneq ($(NVCC),)
ifndef CUDA_HOME
CUDA_HOME  := $(abspath $(dir $(realpath $(shell command -v $(NVCC))))..)
endif
CUDA_ARCHS ?= $(if $(filter release,$(MODE)),$(filter \
	75 80 86 89 90 100 120,$(patsubst sm_%,%,$(shell $(NVCC) \
	--list-gpu-code))))
CUDA_ARCHS := $(CUDA_ARCHS)
endif
cuda_ptx   := 75 $(filter-out 75,$(lastword $(CUDA_ARCHS)))
cuda_code  := $(CUDA_ARCHS:%=sm_%) $(cuda_ptx:%=compute_%)
nv_flags   := -std=c++17 -I. $(foreach a,$(CUDA_ARCHS), \
	-gencode arch=compute_$(a),code=sm_$(a)) $(foreach a,$(cuda_ptx), \
	-gencode arch=compute_$(a),code=compute_$(a)) \
	-Xfatbin -compress-all --threads 0
cuda_cflags := -isystem '$(CUDA_HOME)/include' \
	-DTSL_CUDA_CODE='"$(strip $(cuda_code))"'
endif

# All of this costs a start 0.01 ms; -z now on top of it another 0.02.
MODE_release := -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=2 -fstack-protector-strong \
	-fPIE -pie -Wl,-z,relro
MODE_san     := -O1 -fsanitize=address,undefined -fno-sanitize-recover=all
MODE_cov     := -O0 --coverage
MODE_fuzz    := -O1 -fsanitize=fuzzer-no-link,address,undefined
ifeq ($(MODE),fuzz)
CC := clang
endif

warnings  := -Wall -Wextra -Wconversion -Wshadow -Wstrict-prototypes \
	-Wmissing-prototypes -Wundef -Wvla
cpp_flags := -D_POSIX_C_SOURCE=200809L -D_FILE_OFFSET_BITS=64 -I. \
	$(if $(cuda_src),-DTSL_HAVE_CUDA=1)
c_flags   := -std=c11 -O2 -g -pthread -fvisibility=hidden $(warnings)
ld_flags  := -pthread -Wl,--as-needed
PKG_CONFIG   ?= pkg-config
cjson_cflags := $(shell $(PKG_CONFIG) --cflags libcjson 2>/dev/null)
zlib_cflags  := $(shell $(PKG_CONFIG) --cflags zlib 2>/dev/null)
# cJSON and zlib are loaded when they are asked for.  Before glibc 2.34 dlopen()
# was in a library of its own.
libs         := -ldl

# A plugin for each MPI that there is; mpicc.NAME makes mpi-NAME.so.
ifndef MPICC
MPICC := $(foreach c,mpicc.mpich mpicc.openmpi,$(if $(shell command -v $c),$c))
MPICC := $(or $(MPICC),$(if $(shell command -v mpicc),mpicc))
endif
plugins := $(foreach c,$(MPICC),$(O)/mpi-$(patsubst mpicc.%,%,$(notdir $c)).so)

src     := $(wildcard lib/*/*.c npyio/*/*.c npyio/transfer/*/*.c cli/*.c \
	cli/*/*.c)
src     += $(if $(cuda_src),$(wildcard cuda/*.c))
obj     := $(src:%=$(O)/%.o) $(if $(cuda_src),$(O)/cuda/embed.S.o)
unit    := $(patsubst tests/unit/%.c,$(O)/unit/%,$(wildcard tests/unit/*.c))
fuzzers := $(patsubst tests/fuzz/%.c,$(O)/fuzz/%,$(wildcard tests/fuzz/fuzz_*.c))
replays := $(fuzzers:$(O)/fuzz/%=$(O)/replay/%)
c_files := $(wildcard lib/*.h lib/*/*.[ch] npyio/*/*.[ch] npyio/*/*/*.[ch] \
	cli/*.[ch] cli/*/*.[ch] cuda/*.[ch] cuda/*.cu tests/*/*.[ch])

ifeq ($(MODE),cov)
obj += $(O)/tests/cov/flush.c.o
ld_flags += -Wl,--wrap=raise,--wrap=_exit
endif

cc_cmd = $(CC) $(cpp_flags) $(CPPFLAGS) $(c_flags) $(CFLAGS) $(MODE_$(MODE))
link    = $(cc_cmd) $(ld_flags) $(LDFLAGS)

links  := $(LINKS:%=$(O)/%)

all: $(O)/tslice $(links) $(plugins)

# V=1 shows the commands.
Q   := $(if $(V),,@)
say  = $(if $(V),,@echo '  $(1)	$@')

$(O)/tslice: $(obj)
	$(call say,link)
	$(Q)$(link) -o $@ $(obj) $(libs) $(LDLIBS)

$(links): $(O)/tslice
	$(Q)ln -sf tslice $@

# Not sanitized: their MPI is not either.
$(O)/mpi-%.so: npyio/team/plugin/mpi.c npyio/team/team.h $(O)/flags
	$(call say,mpicc)
	$(Q)$(filter mpicc.$* %/mpicc.$* $(if $(filter mpicc,$*),mpicc %/mpicc), \
		$(MPICC)) -shared -fPIC -std=c11 -O2 -g -D_POSIX_C_SOURCE=200809L \
		-fvisibility=hidden -I. $(CPPFLAGS) $(CFLAGS) -o $@ $< $(LDFLAGS)

# What has no main(), for tests and fuzzers.
$(O)/parts.a: $(filter-out $(O)/cli/%,$(obj))
	$(Q)rm -f $@
	$(Q)$(AR) rcs $@ $^

# The commands without their main().
$(O)/commands.a: $(filter-out $(O)/cli/main.c.o,$(obj))
	$(Q)rm -f $@
	$(Q)$(AR) rcs $@ $^

$(O)/lib/kernel/%.c.o: k_flags = -O3
$(O)/npyio/library/cjson.c.o $(O)/npyio/format/json.c.o \
$(O)/cli/report/json.c.o \
$(O)/cli/operand/encoding_json.c.o: k_flags = $(cjson_cflags)
$(O)/npyio/library/zlib.c.o $(O)/npyio/file/crc.c.o \
$(O)/npyio/library/isal.c.o $(O)/npyio/input/inflate.c.o \
$(O)/npyio/output/deflate.c.o: k_flags = $(zlib_cflags)
$(O)/npyio/team/load.c.o: k_flags = -DTSLICE_LIBEXECDIR='"$(libexecdir)"'
$(O)/cuda/%.c.o: k_flags = $(cuda_cflags)
$(O)/cuda/backend_cuda.c.o: $(O)/cuda/flags
$(O)/%.c.o: %.c $(O)/flags
	@mkdir -p $(@D)
	$(call say,cc)
	$(Q)$(cc_cmd) $(k_flags) -MMD -MP -c -o $@ $<

$(O)/cuda/%.fatbin: cuda/%.cu $(O)/cuda/flags
	@mkdir -p $(@D)
	$(call say,nvcc)
	$(Q)$(NVCC) -fatbin $(nv_flags) -MMD -MP -MF $(@:fatbin=d) -o $@ $<

$(O)/cuda/embed.S.o: cuda/embed.S $(cuda_src:cuda/%.cu=$(O)/cuda/%.fatbin)
	$(call say,as)
	$(Q)$(CC) $(CPPFLAGS) $(CFLAGS) -Wa,-I$(O)/cuda -c -o $@ $<

# Every object depends on one of these, which hold what it is made with: if that
# has changed all is made again, once it is known that it can be.
need = CC='$(CC)' CXX='$(CXX)' NVCC='$(NVCC)' PKG_CONFIG='$(PKG_CONFIG)' \
	.ci/need
made_with      = $(strip $(link) $(cjson_cflags) $(zlib_cflags) $(libs) \
	$(LDLIBS))
cuda_made_with = $(strip $(NVCC) $(nv_flags))
quoted         = '$(subst ','\'',$(1))'

ifneq ($(file <$(O)/flags),$(made_with))
$(O)/flags: FORCE
endif
ifneq ($(file <$(O)/cuda/flags),$(cuda_made_with))
$(O)/cuda/flags: FORCE
endif

$(O)/flags:
	$(if $(cuda_src),$(if $(NVCC),,$(error CUDA=1, but there is no nvcc on \
		PATH or in CUDA_HOME)))
	@$(need) check build
	@mkdir -p $(@D)
	@printf '%s\n' $(call quoted,$(made_with)) >$@
$(O)/cuda/flags: $(O)/flags
	@mkdir -p $(@D)
	@printf '%s\n' $(call quoted,$(cuda_made_with)) >$@

# ---- install -----------------------------------------------------------------

# What was built, as it was built: who installs it may have another environment.
install: $(if $(wildcard $(O)/tslice),,$(O)/tslice)
	@if [ "$$(find lib npyio cli -newer $(O)/tslice -type f)" ]; then \
		echo 'install: sources are newer than what is installed'; fi
	mkdir -p "$(bindir)" "$(mandir)/man1" "$(mandir)/man7"
	install -m 755 $(O)/tslice "$(bindir)/tslice"
	for c in $(LINKS); do ln -sf tslice "$(bindir)/$$c" || exit 1; done
	for p in $(wildcard $(plugins)); do mkdir -p "$(plugindir)" && \
		install -m 644 $$p "$(plugindir)/" || exit 1; done
	for m in $(MAN); do \
		install -m 644 $$m "$(mandir)/man$${m##*.}/" || exit 1; done
	mkdir -p "$(bash_dir)" "$(zsh_dir)" "$(fish_dir)"
	$(for_commands) cli/completion/tslice.bash >"$(bash_dir)/tslice"
	$(for_commands) cli/completion/_tslice >"$(zsh_dir)/_tslice"
	$(for_commands) cli/completion/tslice.fish >"$(fish_dir)/tslice.fish"
	for c in $(LINKS); do ln -sf tslice "$(bash_dir)/$$c" && \
		ln -sf tslice.fish "$(fish_dir)/$$c.fish" || exit 1; done

# Where shells look for completion.
bash_dir = $(share)/bash-completion/completions
zsh_dir  = $(share)/zsh/site-functions
fish_dir = $(share)/fish/vendor_completions.d
for_commands = sed 's/@COMMANDS@/$(COMMANDS)/'

uninstall:
	for c in $(COMMANDS); do rm -f "$(bindir)/$$c" "$(bash_dir)/$$c" \
		"$(fish_dir)/$$c.fish"; done
	rm -f "$(zsh_dir)/_tslice"
	for m in $(MAN); do rm -f "$(mandir)/man$${m##*.}/$${m##*/}"; done
	for p in $(plugins); do rm -f "$(plugindir)/$${p##*/}"; done
	rmdir "$(plugindir)" 2>/dev/null || :

# ---- packages ----------------------------------------------------------------

version := $(shell sed -n 's/.*TSLICE_VERSION "\(.*\)"/\1/p' \
	cli/report/version.h)

# What only a person can say is asked before anything is fetched or built.
packager:
	@.ci/deb --who

deb: packager $(O)/tslice
	@$(need) deb
	@rm -rf build/deb
	@$(MAKE) --no-print-directory -s install DESTDIR=build/deb prefix=/usr
	@.ci/deb build/deb $(version)

wheel:
	@.ci/wheel $(SUITE)

# What is committed, with the tests: enough to build and test it anywhere.
dist:
	@mkdir -p build
	git archive --prefix=tslice-$(version)/ HEAD | \
		gzip -9n >build/tslice-$(version).tar.gz

html:
	@$(need) html
	@mkdir -p build/html
	@for m in $(MAN); do mandoc -T html -O man=%N.%S.html,toc $$m \
		>build/html/$${m##*/}.html || exit 1; done
	@ln -sf tslice.1.html build/html/index.html
	@echo build/html/index.html

# ---- demo and tests ----------------------------------------------------------

demo:
	@$(need) build
	@$(MAKE) --no-print-directory -s all
	@.ci/demo $(O)

# As many compilers as processors, unless make was told how many.
parallel = $(if $(findstring -j,$(MAKEFLAGS)),,-j$(shell nproc || echo 2))
make_test = $(MAKE) --no-print-directory $(1) $(parallel) test-build && \
	$(MAKE) --no-print-directory $(1) test-mode

test:
	@$(need) build test
	@+$(call make_test,MODE=release)

# For the same tests with sanitizers, in a directory of their own.
test-san:
	@$(need) build test
	@+$(call make_test,MODE=san O='$(san_dir)')

# What MPI has to do with, for each MPI that there is after this.
test-mpi:
	@$(need) build test
	@$(need) mpi
	@+$(call make_test,MODE=release TESTS='$(or $(TESTS),mpi shares)')

test-all: export TEST_DRAWS ?= 4
test-all:
	@$(need) build test
	@$(need) mpi || echo 'test-all: going on, without MPI'
	@.ci/test $(MAKE)

test-fresh:
	@TESTS='$(TESTS)' .ci/fresh $(CELLS)

ARCHS ?= arm64 armhf s390x

test-arch:
	@TESTS='$(TESTS)' .ci/arch $(ARCHS)

stage := $(O)/stage

# Commands in one process, which would write over the counts of coverage; and a
# real GPU's driver would not like to lose its descriptors.
driver := $(if $(filter cov,$(MODE))$(REAL_GPU),,$(O)/driver/driver)

# Where the tests find a GPU, or why not; tests/cuda/on_gpu.
ifeq ($(cuda_src),)
gpu := this build has no CUDA
else ifeq ($(shell command -v $(firstword $(CXX))),)
gpu := no C++ compiler for the stand-in of a GPU
else
gpu := $$o/fake
test-build: $(O)/bench_gpu $(if $(REAL_GPU),,$(O)/fake/libcuda.so.1)
endif

# All that is tested.
test-build: $(O)/tslice $(links) $(plugins) $(unit) $(replays) $(driver)

# The tests call what is installed, by name.
test-mode: test-build
	@rm -rf $(stage)
	@$(MAKE) --no-print-directory -s install MODE=$(MODE) O=$(O) \
		DESTDIR=$(stage) prefix=/usr
	@echo "$(MODE) build:"
	@o=$$(cd $(O) && pwd) && PATH="$$o/stage/usr/bin:$$PATH" \
		MANDIR="$$o/stage/usr/share/man" UNIT_DIR="$$o/unit" \
		REPLAY_DIR="$$o/replay" TSLICE_MODE=$(MODE) \
		TSLICE_DRIVER="$(if $(driver),$$o/driver/driver)" \
		TSLICE_CUDA="$(if $(REAL_GPU),real,$(gpu))" \
		PYTHON="$$($(need) python)" tests/run $(TESTS)

# The tests of a GPU alone, with that of this machine.
test-gpu:
	@$(need) build test
	@$(MAKE) --no-print-directory test-mode REAL_GPU=1 TESTS=cuda

# A stand-in for the driver, with the device code compiled for the host.
fake := $(O)/fake/libcuda.so.1
fake_mode  = $(filter -fsanitize% -fno-sanitize% --coverage,$(MODE_$(MODE)))
fake_flags = -fPIC -fvisibility=hidden -g -I. $(fake_mode) -MMD -MP
fake_obj := $(cuda_src:%.cu=$(O)/fake/%.o) \
	$(patsubst %.c,$(O)/fake/%.o,$(wildcard tests/cuda/fake_*.c))

$(O)/fake/%.o: %.cu $(O)/flags
	@mkdir -p $(@D)
	$(call say,c++)
	$(Q)$(CXX) $(fake_flags) -O1 -std=c++17 -fno-strict-aliasing -Wall -Wextra \
		-include tests/cuda/shim.h -x c++ -c -o $@ $<
$(O)/fake/%.o: %.c $(O)/flags
	@mkdir -p $(@D)
	$(call say,cc)
	$(Q)$(cc_cmd) $(cuda_cflags) $(fake_flags) -c -o $@ $<
$(fake): $(fake_obj)
	$(call say,link)
	$(Q)$(CC) -shared -pthread $(fake_mode) -o $@ $^

# Of the command line there is what a test asks for.
$(O)/unit/test_numbers: $(O)/cli/parse/numbers.c.o \
	$(O)/cli/parse/short_integers.c.o
$(O)/unit/%: tests/unit/%.c $(O)/parts.a
	@mkdir -p $(@D)
	$(call say,link)
	$(Q)$(link) -MMD -MP -o $@ $< $(filter %.o,$^) $(O)/parts.a $(libs) \
		$(LDLIBS)

# ---- lint --------------------------------------------------------------------

lint:
	@$(need) build lint
	clang-format --dry-run -Werror $(c_files)
	@for cc in gcc clang; do for f in $(src); do \
		$$cc $(cpp_flags) $(c_flags) $(cjson_cflags) \
			$(zlib_cflags) $(cuda_cflags) -Werror \
			-fsyntax-only $$f || exit 1; done; \
		echo "$$cc: no warnings"; done
	mandoc -T lint -W warning $(MAN) | { ! grep .; }
	@! command -v groff >/dev/null || \
		groff -ww -mdoc -Tutf8 -z $(MAN) 2>&1 | { ! grep .; }
	shellcheck $(filter-out .ci/pack-wheel,$(wildcard .ci/*)) tests/run tests/bench/run tests/bench/limited \
		tests/cuda/on_gpu tests/cli/*.bash tests/docs/docs.sh
	shellcheck -s bats tests/cli/*.bats
	shellcheck cli/completion/tslice.bash
	@.ci/measure

# ---- bench, fuzz, coverage ---------------------------------------------------

bench:
	@$(need) build test
	@$(need) bench || echo 'bench: going on, with fewer peers'
	@$(MAKE) --no-print-directory -s all
	@$(MAKE) --no-print-directory -s install DESTDIR=$(stage) prefix=/usr
	@PATH="$$(cd $(stage) && pwd)/usr/bin:$$PATH" tests/bench/run $(CASES)

# The kernels of a GPU against a copy, CuPy and PyTorch.
bench-gpu: $(if $(cuda_src),$(O)/bench_gpu)
	@$(if $(cuda_src),"$$($(need) python)" tests/bench/gpu.py $< $(MIB), \
		echo "skipped: this build has no CUDA")

$(O)/bench_gpu: tests/cuda/bench_gpu.c $(O)/parts.a
	$(call say,link)
	$(Q)$(link) $(cuda_cflags) -MMD -MP -o $@ $< $(O)/parts.a \
		$(libs) $(LDLIBS)

FUZZ_SECONDS ?= 60

fuzz:
	@$(need) build lint
	@$(MAKE) --no-print-directory -s fuzz-mode MODE=fuzz

fuzz-mode: $(fuzzers)
	@for f in $(fuzzers); do n=$${f##*/}; \
		mkdir -p build/corpus/$$n build/findings; \
		$$f -max_total_time=$(FUZZ_SECONDS) -timeout=5 \
			-max_len=16384 -rss_limit_mb=1024 -print_final_stats=1 \
			-dict=tests/fuzz/dictionary \
			-artifact_prefix=build/findings/$$n- \
			build/corpus/$$n tests/cases/fuzz/$$n || exit 1; done

$(O)/fuzz/%: tests/fuzz/%.c $(O)/commands.a
	@mkdir -p $(@D)
	$(call say,link)
	$(Q)$(link) -fsanitize=fuzzer -MMD -MP -o $@ $< $(O)/commands.a \
		$(libs) $(LDLIBS)

# The same without a fuzzer, for what it has found before.
$(O)/replay/%: tests/fuzz/%.c tests/fuzz/replay.c $(O)/commands.a
	@mkdir -p $(@D)
	$(call say,link)
	$(Q)$(link) -MMD -MP -o $@ $(filter %.c,$^) $(O)/commands.a \
		$(libs) $(LDLIBS)

# The commands in one process, one after another; tests/sweep/tap.py calls it.
$(O)/driver/main.o: cli/main.c $(O)/flags
	@mkdir -p $(@D)
	$(Q)$(cc_cmd) -Dmain=process_main -Wno-missing-prototypes -MMD -MP -c \
		-o $@ $<
$(O)/driver/driver: tests/driver/driver.c $(O)/driver/main.o $(O)/commands.a
	$(call say,link)
	$(Q)$(link) -MMD -MP -o $@ $^ $(libs) $(LDLIBS)

# Coverage writes files of its own: tests that watch system calls may fail here,
# and those that make them fail spoil its files.  These have their own, and what
# is left of them is added in the end.
cov_spoil = cli/04 cli/17 cli/32 cli/07 cli/20 cli/21 cli/22 cli/24 cli/26
cov: export GCOV_ERROR_FILE = /dev/null
cov:
	@$(need) build test
	@rm -rf build/cov-spoilt build/cov-all
	@-$(MAKE) --no-print-directory test-mode MODE=cov \
		TESTS='$(cov_spoil:%=!%)'
	@-GCOV_PREFIX='$(CURDIR)/build/cov-spoilt' $(MAKE) \
		--no-print-directory test-mode MODE=cov TESTS="$(cov_spoil)"
	@gcov-tool merge -o build/cov-all build/cov \
		"build/cov-spoilt$(CURDIR)/build/cov" 2>/dev/null
	@.ci/coverage build/cov build/cov-all $(src)

clean:
	rm -rf build

FORCE:
.PHONY: all install uninstall deb wheel dist html demo test test-san test-mpi \
	test-all test-build test-mode test-gpu test-fresh \
	test-arch lint bench bench-gpu fuzz fuzz-mode cov clean FORCE
-include $(obj:.o=.d) $(unit:=.d) $(fuzzers:=.d) $(replays:=.d) \
	$(O)/driver/main.d $(O)/driver/driver.d \
	$(fake_obj:.o=.d) $(cuda_src:%.cu=$(O)/%.d) $(O)/bench_gpu.d
