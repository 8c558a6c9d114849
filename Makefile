# tslice: make, make test, make demo; see README.md

MODE   ?= release
O      ?= build/$(MODE)
prefix ?= /usr/local
bindir  = $(prefix)/bin
mandir  = $(prefix)/share/man

COMMANDS := tslice

MODE_release :=
MODE_san     := -O1 -fsanitize=address,undefined -fno-sanitize-recover=all
MODE_cov     := -O0 --coverage
MODE_fuzz    := -O1 -fsanitize=fuzzer-no-link,address,undefined
ifeq ($(MODE),fuzz)
CC := clang
endif

cpp_flags := -D_POSIX_C_SOURCE=200809L -D_FILE_OFFSET_BITS=64 -I.
c_flags   := -std=c11 -O2 -g -pthread -fvisibility=hidden -Wall -Wextra \
	-Wconversion -Wshadow -Wstrict-prototypes -Wmissing-prototypes
ld_flags  := -pthread -Wl,--as-needed
cjson     := $(shell pkg-config --cflags --libs libcjson 2>/dev/null)

src := $(wildcard lib/*.c npyio/*.c cli/*.c)
obj := $(src:%=$(O)/%.o)
cc_cmd = $(CC) $(cpp_flags) $(CPPFLAGS) $(c_flags) $(CFLAGS) $(MODE_$(MODE))

all: $(O)/tslice

$(O)/tslice: $(obj)
	$(cc_cmd) $(ld_flags) $(LDFLAGS) -o $@ $(obj) $(cjson)

$(O)/lib/kernel_%.c.o: k_flags = -O3
$(O)/%.c.o: %.c $(O)/flags
	@mkdir -p $(@D)
	$(cc_cmd) $(k_flags) -MMD -MP -c -o $@ $<

$(O)/flags: FORCE
	@mkdir -p $(@D)
	@echo '$(cc_cmd)' | cmp -s - $@ || echo '$(cc_cmd)' >$@

FORCE:
.PHONY: all FORCE
-include $(obj:.o=.d)
