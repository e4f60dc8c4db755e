// SPDX-License-Identifier: GPL-2.0
#include <fcntl.h>
#include <gelf.h>
#include <unistd.h>

#include "elf-symbols.h"
#include "strsort.h"

#define EXPORT_PREFIX	"__export_symbol_"	/* 6.5 and later */
#define KSYMTAB_PREFIX	"__ksymtab_"		/* before */
#define SPACE_PREFIX	"__kstrtabns_"
#define IMPORT_PREFIX	"import_ns="
#define LICENCE_PREFIX	"license="

static struct elf_symbols *symbols_new(void)
{
	struct elf_symbols *s = g_new0(struct elf_symbols, 1);

	s->undefined = g_ptr_array_new();
	s->users = g_hash_table_new(NULL, NULL);
	s->defined = g_ptr_array_new();
	s->exports = g_array_new(FALSE, FALSE, sizeof(struct elf_export));
	s->imports = g_ptr_array_new();
	s->licences = g_ptr_array_new();
	return s;
}

void elf_symbols_free(struct elf_symbols *s)
{
	if (!s)
		return;
	g_ptr_array_unref(s->undefined);
	g_hash_table_unref(s->users);
	g_ptr_array_unref(s->defined);
	g_array_unref(s->exports);
	g_ptr_array_unref(s->imports);
	g_ptr_array_unref(s->licences);
	g_free(s);
}

/* The string at @offset of section @index, whole or NULL. */
static const char *string_at(Elf *elf, size_t index, gsize offset)
{
	Elf_Scn *scn = elf_getscn(elf, index);
	Elf_Data *data = scn ? elf_getdata(scn, NULL) : NULL;

	if (!data || !data->d_buf || offset >= data->d_size ||
	    !memchr((char *)data->d_buf + offset, '\0', data->d_size - offset))
		return NULL;
	return (const char *)data->d_buf + offset;
}

static void add_export(struct elf_symbols *s, const char *name,
		       const char *space, bool gpl)
{
	struct elf_export e = { g_intern_string(name),
				g_intern_string(space ?: ""), gpl };

	g_array_append_val(s->exports, e);
}

/* Two strings stand at the symbol: the licence, then the namespace. */
static void read_export(Elf *elf, struct elf_symbols *s, const GElf_Sym *sym,
			const char *name)
{
	const char *licence = string_at(elf, sym->st_shndx, sym->st_value);
	const char *space = licence ? string_at(elf, sym->st_shndx,
				sym->st_value + strlen(licence) + 1) : NULL;

	add_export(s, name, space, !g_strcmp0(licence, "GPL"));
}

static bool is_in_section(Elf *elf, size_t strings, size_t index,
			  const char *prefix)
{
	Elf_Scn *scn = elf_getscn(elf, index);
	GElf_Shdr header;
	const char *name;

	if (!scn || !gelf_getshdr(scn, &header))
		return false;
	name = elf_strptr(elf, strings, header.sh_name);
	return name && g_str_has_prefix(name, prefix);
}

static void read_local(Elf *elf, size_t strings, struct elf_symbols *s,
		       const GElf_Sym *sym, const char *name)
{
	if (g_str_has_prefix(name, EXPORT_PREFIX) &&
	    is_in_section(elf, strings, sym->st_shndx, ".export_symbol"))
		read_export(elf, s, sym, name + strlen(EXPORT_PREFIX));
}

static void read_symbol(Elf *elf, size_t strings, struct elf_symbols *s,
			const GElf_Sym *sym, const char *name)
{
	int bind = GELF_ST_BIND(sym->st_info);

	if (bind == STB_LOCAL) {
		read_local(elf, strings, s, sym, name);
		return;
	}
	if (sym->st_shndx == SHN_UNDEF) {
		if (bind != STB_WEAK)
			g_ptr_array_add(s->undefined,
					(gpointer)g_intern_string(name));
		return;
	}
	g_ptr_array_add(s->defined, (gpointer)g_intern_string(name));
	if (g_str_has_prefix(name, KSYMTAB_PREFIX))
		add_export(s, name + strlen(KSYMTAB_PREFIX), NULL,
			   is_in_section(elf, strings, sym->st_shndx,
					 "___ksymtab_gpl+"));
}

static void read_symtab(Elf *elf, size_t strings, Elf_Scn *scn,
			const GElf_Shdr *header, struct elf_symbols *s)
{
	Elf_Data *data = elf_getdata(scn, NULL);
	GElf_Sym sym;

	for (int i = 1; data && gelf_getsym(data, i, &sym); i++) {
		const char *name = elf_strptr(elf, header->sh_link, sym.st_name);

		if (name && *name)
			read_symbol(elf, strings, s, &sym, name);
	}
}

/* The symbol table that the relocations of a section count in. */
struct table {
	Elf *elf;
	Elf_Data *data;
	size_t strings;
};

static const char *table_name(const struct table *t, const GElf_Sym *sym)
{
	return elf_strptr(t->elf, t->strings, sym->st_name);
}

/* The function or variable around @offset of section @index; "" for none. */
static const char *user_at(const struct table *t, size_t index, GElf_Addr offset)
{
	GElf_Sym sym;

	for (int i = 1; gelf_getsym(t->data, i, &sym); i++) {
		int type = GELF_ST_TYPE(sym.st_info);
		const char *name = table_name(t, &sym);
		g_autofree char *whole = NULL;

		if ((type != STT_FUNC && type != STT_OBJECT) || !name ||
		    sym.st_shndx != index || offset < sym.st_value ||
		    offset - sym.st_value >= sym.st_size)
			continue;
		/* f.part.0, f.cold: parts of f */
		whole = g_strndup(name, strcspn(name, "."));
		return g_intern_string(whole);
	}
	return "";
}

static void read_relocation(const struct table *t, struct elf_symbols *s,
			    size_t section, size_t index, GElf_Addr offset)
{
	GElf_Sym sym;
	const char *name, *user;

	if (!gelf_getsym(t->data, index, &sym) || sym.st_shndx != SHN_UNDEF ||
	    GELF_ST_BIND(sym.st_info) != STB_GLOBAL)
		return;
	name = g_intern_string(table_name(t, &sym));
	if (!name || g_hash_table_contains(s->users, name))
		return;
	user = user_at(t, section, offset);
	if (*user)
		g_hash_table_insert(s->users, (gpointer)name, (gpointer)user);
}

/* Of sections that are loaded: debug information uses nothing. */
static void read_relocations(Elf *elf, Elf_Scn *scn, const GElf_Shdr *header,
			     struct elf_symbols *s)
{
	Elf_Scn *to = elf_getscn(elf, header->sh_info);
	Elf_Scn *symtab = elf_getscn(elf, header->sh_link);
	Elf_Data *data = elf_getdata(scn, NULL);
	struct table t = { .elf = elf };
	GElf_Shdr shdr;
	GElf_Rela rela;
	GElf_Rel rel;

	if (!to || !gelf_getshdr(to, &shdr) || !(shdr.sh_flags & SHF_ALLOC) ||
	    !symtab || !gelf_getshdr(symtab, &shdr) || !data)
		return;
	t.data = elf_getdata(symtab, NULL);
	t.strings = shdr.sh_link;
	for (int i = 0; t.data; i++) {
		if (header->sh_type == SHT_RELA && gelf_getrela(data, i, &rela))
			read_relocation(&t, s, header->sh_info,
					GELF_R_SYM(rela.r_info), rela.r_offset);
		else if (header->sh_type == SHT_REL && gelf_getrel(data, i, &rel))
			read_relocation(&t, s, header->sh_info,
					GELF_R_SYM(rel.r_info), rel.r_offset);
		else
			return;
	}
}

/* Before 6.5 the namespace is a symbol of its own, met in any order. */
static void read_old_spaces(Elf *elf, Elf_Scn *scn, const GElf_Shdr *header,
			    struct elf_symbols *s)
{
	Elf_Data *data = elf_getdata(scn, NULL);
	GElf_Sym sym;

	for (int i = 1; data && gelf_getsym(data, i, &sym); i++) {
		const char *name = elf_strptr(elf, header->sh_link, sym.st_name);
		const char *space, *of;

		if (!name || !g_str_has_prefix(name, SPACE_PREFIX))
			continue;
		of = g_intern_string(name + strlen(SPACE_PREFIX));
		space = string_at(elf, sym.st_shndx, sym.st_value);
		for (guint k = 0; space && k < s->exports->len; k++) {
			struct elf_export *e = &g_array_index(s->exports,
							struct elf_export, k);

			if (e->name == of)
				e->space = g_intern_string(space);
		}
	}
}

/* "import_ns=X" to @list when that is the prefix. */
static void take_info(GPtrArray *list, const char *line, const char *prefix)
{
	if (g_str_has_prefix(line, prefix) && line[strlen(prefix)])
		g_ptr_array_add(list, (gpointer)g_intern_string(
				line + strlen(prefix)));
}

static void read_modinfo(Elf_Scn *scn, struct elf_symbols *s)
{
	Elf_Data *data = elf_getdata(scn, NULL);
	const char *p = data ? data->d_buf : NULL, *end;

	for (end = p ? p + data->d_size : NULL; p && p < end;) {
		gsize n = strnlen(p, end - p);
		g_autofree char *line = g_strndup(p, n);

		take_info(s->imports, line, IMPORT_PREFIX);
		take_info(s->licences, line, LICENCE_PREFIX);
		p += n + 1;
	}
}

/* Of struct elf_export or of const char *: either begins with the name. */
static void sort_all(struct elf_symbols *s)
{
	g_ptr_array_sort(s->undefined, by_string);
	g_ptr_array_sort(s->defined, by_string);
	g_array_sort(s->exports, by_string);
	g_ptr_array_sort(s->imports, by_string);
	g_ptr_array_sort(s->licences, by_string);
}

static struct elf_symbols *read_object(Elf *elf)
{
	struct elf_symbols *s;
	Elf_Scn *scn = NULL;
	GElf_Ehdr ehdr;
	size_t strings;

	if (elf_kind(elf) != ELF_K_ELF || !gelf_getehdr(elf, &ehdr) ||
	    ehdr.e_type != ET_REL || elf_getshdrstrndx(elf, &strings))
		return NULL;
	s = symbols_new();
	while ((scn = elf_nextscn(elf, scn))) {
		GElf_Shdr header;
		const char *name;

		if (!gelf_getshdr(scn, &header))
			continue;
		name = elf_strptr(elf, strings, header.sh_name);
		if (header.sh_type == SHT_SYMTAB) {
			read_symtab(elf, strings, scn, &header, s);
			read_old_spaces(elf, scn, &header, s);
		} else if (name && !strcmp(name, ".modinfo")) {
			read_modinfo(scn, s);
		} else if (header.sh_type == SHT_RELA ||
			   header.sh_type == SHT_REL) {
			read_relocations(elf, scn, &header, s);
		}
	}
	sort_all(s);
	return s;
}

struct elf_symbols *elf_symbols_read(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	struct elf_symbols *s = NULL;
	Elf *elf;

	if (fd < 0)
		return NULL;
	elf_version(EV_CURRENT);
	elf = elf_begin(fd, ELF_C_READ, NULL);
	if (elf)
		s = read_object(elf);
	elf_end(elf);
	close(fd);
	return s;
}

static void add_lines(GString *text, char kind, const GPtrArray *names)
{
	for (guint i = 0; i < names->len; i++)
		g_string_append_printf(text, "%c %s\n", kind,
				       (const char *)names->pdata[i]);
}

char *elf_symbols_to_text(const struct elf_symbols *s)
{
	/* never empty: an object without symbols is not "no object" */
	GString *text = g_string_new("O\n");

	for (guint i = 0; i < s->undefined->len; i++) {
		const char *name = s->undefined->pdata[i];
		const char *user = g_hash_table_lookup(s->users, name);

		g_string_append_printf(text, "U %s%s%s\n", name, user ? " " : "",
				       user ?: "");
	}
	add_lines(text, 'D', s->defined);
	for (guint i = 0; i < s->exports->len; i++) {
		const struct elf_export *e = &g_array_index(s->exports,
							struct elf_export, i);

		g_string_append_printf(text, "%c %s %s\n", e->gpl ? 'G' : 'X',
				       e->name, e->space);
	}
	add_lines(text, 'I', s->imports);
	add_lines(text, 'L', s->licences);
	return g_string_free(text, FALSE);
}

/* "name user" or "name" */
static void take_undefined(struct elf_symbols *s, const char *text)
{
	g_auto(GStrv) pair = g_strsplit(text, " ", 2);
	const char *name = g_intern_string(pair[0]);

	g_ptr_array_add(s->undefined, (gpointer)name);
	if (pair[1])
		g_hash_table_insert(s->users, (gpointer)name,
				    (gpointer)g_intern_string(pair[1]));
}

static bool take_line(struct elf_symbols *s, const char *line)
{
	const char *name = line + 2;
	g_auto(GStrv) pair = NULL;

	if (!*line || line[1] != ' ')
		return false;
	switch (*line) {
	case 'U':
		take_undefined(s, name);
		return true;
	case 'D':
		g_ptr_array_add(s->defined, (gpointer)g_intern_string(name));
		return true;
	case 'I':
		g_ptr_array_add(s->imports, (gpointer)g_intern_string(name));
		return true;
	case 'L':
		g_ptr_array_add(s->licences, (gpointer)g_intern_string(name));
		return true;
	case 'G':
	case 'X':
		pair = g_strsplit(name, " ", 2);
		add_export(s, pair[0], pair[1], *line == 'G');
		return true;
	}
	return false;
}

struct elf_symbols *elf_symbols_from_text(const char *text)
{
	g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
	struct elf_symbols *s;

	if (!lines[0] || strcmp(lines[0], "O"))
		return NULL;
	s = symbols_new();
	for (char **l = lines + 1; *l; l++) {
		if (!**l || take_line(s, *l))
			continue;
		elf_symbols_free(s);
		return NULL;
	}
	return s;
}

static bool has(const GPtrArray *sorted, const char *name)
{
	return sorted->len && bsearch(&name, sorted->pdata, sorted->len,
				      sizeof(gpointer), by_string);
}

const char *elf_symbols_user(const struct elf_symbols *s, const char *name)
{
	return g_hash_table_lookup(s->users, g_intern_string(name));
}

bool elf_symbols_needs(const struct elf_symbols *s, const char *name)
{
	return has(s->undefined, name);
}

bool elf_symbols_defines(const struct elf_symbols *s, const char *name)
{
	return has(s->defined, name);
}

static const struct elf_export *export_of(const struct elf_symbols *s,
					  const char *name)
{
	if (!s->exports->len)
		return NULL;
	return bsearch(&name, s->exports->data, s->exports->len,
		       sizeof(struct elf_export), by_string);
}

const char *elf_symbols_exports(const struct elf_symbols *s, const char *name)
{
	const struct elf_export *e = export_of(s, name);

	return e ? e->space : NULL;
}

bool elf_symbols_is_gpl(const struct elf_symbols *s, const char *name)
{
	const struct elf_export *e = export_of(s, name);

	return e && e->gpl;
}

bool elf_symbols_gives(const struct elf_symbols *s, const struct elf_export *e)
{
	const struct elf_export *own = export_of(s, e->name);

	return own && !strcmp(own->space, e->space) && (!own->gpl || e->gpl);
}

bool elf_symbols_imports(const struct elf_symbols *s, const char *space)
{
	return has(s->imports, space);
}
