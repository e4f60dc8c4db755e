# respin: checks a Linux kernel patch series before anybody has to read it.
#
#	make			build build/respin
#	make SAN=1		the same with ASan and UBSan, in build-san/
#	make cocci-test	the semantic patches in cocci/ against their tests
#	make check		install what is missing, run all tests
#	make check-long		what needs longer than make check may take
#	make demo		a real series on a real kernel, from nothing
#	make bench	a reused run against one that is planned anew
#	make lint		file and function lengths, layers, banned calls
#	make install		PREFIX (/usr/local) and DESTDIR are honoured
#	make clean

PREFIX ?= /usr/local
CC ?= cc
B := build
CFLAGS ?= -O2 -g
ifdef SAN
B := build-san
CFLAGS := -O1 -g -fno-omit-frame-pointer -fsanitize=address,undefined \
	-fno-sanitize-recover=undefined
LDFLAGS += -fsanitize=address,undefined
endif

# make V=1 shows the commands.
ifeq ($(V),1)
say =
else
say = @echo "  $(1)	$(2)";
endif

PKGS := glib-2.0 gmime-3.0 libgit2 sqlite3 jansson zlib libelf
WARN := -Wall -Wextra -Wshadow -Wvla -Wstrict-prototypes -Wmissing-prototypes \
	-Wno-unused-parameter -Wno-missing-field-initializers -Werror
PKG_CFLAGS = $(eval PKG_CFLAGS := $(shell pkg-config --cflags $(PKGS)))$(PKG_CFLAGS)
PKG_LIBS = $(eval PKG_LIBS := $(shell pkg-config --libs $(PKGS)))$(PKG_LIBS)
ALL_CFLAGS = -std=gnu11 -D_GNU_SOURCE -Itools -Ichecks $(WARN) $(PKG_CFLAGS) $(CFLAGS)

SRC := $(filter-out tools/main.c,$(wildcard tools/*.c)) $(wildcard checks/*.c)
OBJ := $(SRC:%.c=$B/%.o)
UNIT := $(patsubst tools/t/%.c,$B/t/%,$(wildcard tools/t/test-*.c))

all: $B/respin

$B/respin: $B/tools/main.o $B/librespin.a
	$(call say,LD,$@)$(CC) $(LDFLAGS) -o $@ $^ $(PKG_LIBS)

# The rules of Coccinelle are a part of the program.
RULES := cocci/prelude.cocci $(sort $(wildcard cocci/*/*.cocci))
$B/rules.c: $(RULES) Makefile
	@mkdir -p $(@D)
	$(call say,GEN,$@)(echo '#include "coccirules.h"'; \
		echo 'const char cocci_rules_text[] ='; \
		sed 's/[\\"]/\\&/g; s/	/\\t/g; s/.*/"&\\n"/' $(RULES); echo ';') >$@

$B/rules.o: $B/rules.c
	$(call say,CC,$@)$(CC) $(ALL_CFLAGS) -c -o $@ $<

$B/librespin.a: $(OBJ) $B/rules.o
	$(call say,AR,$@)rm -f $@; $(AR) rcs $@ $^

$B/%.o: %.c tools/banned.h Makefile
	@mkdir -p $(@D)
	$(call say,CC,$@)$(CC) $(ALL_CFLAGS) -include tools/banned.h -MMD -MP -c -o $@ $<

$B/t/%: tools/t/%.c $B/librespin.a
	@mkdir -p $(@D)
	$(call say,TEST,$@)$(CC) $(ALL_CFLAGS) -MMD -MP $(LDFLAGS) -o $@ $< $B/librespin.a \
		$(PKG_LIBS) -lcmocka

unit: $(UNIT)

setup:
	@ci/setup

check: setup
	@ci/check

check-long: setup
	@ci/check --long

cocci-test:
	@ci/cocci-test

demo: setup
	@$(MAKE) --no-print-directory all
	@ci/demo

bench: all
	@ci/bench

lint:
	@ci/lint

install: all
	install -D -m 755 $B/respin $(DESTDIR)$(PREFIX)/bin/respin
	install -D -m 644 tools/respin.1 $(DESTDIR)$(PREFIX)/share/man/man1/respin.1

clean:
	rm -rf build build-san

.PHONY: all unit cocci-test setup check check-long demo bench lint install clean
-include $(OBJ:.o=.d) $B/tools/main.d $(UNIT:=.d)
