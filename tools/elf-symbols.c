// SPDX-License-Identifier: GPL-2.0
#include <fcntl.h>
#include <gelf.h>
#include <unistd.h>

#include "elf-symbols.h"

#define EXPORT_PREFIX	"__export_symbol_"	/* 6.5 and later */
#define KSYMTAB_PREFIX	"__ksymtab_"		/* before */
#define SPACE_PREFIX	"__kstrtabns_"
#define IMPORT_PREFIX	"import_ns="

static struct elf_symbols *symbols_new(void)
{
	struct elf_symbols *s = g_new0(struct elf_symbols, 1);

	s->undefined = g_ptr_array_new();
	s->defined = g_ptr_array_new();
	s->exports = g_array_new(FALSE, FALSE, sizeof(struct elf_export));
	s->imports = g_ptr_array_new();
	return s;
}

void elf_symbols_free(struct elf_symbols *s)
{
	if (!s)
		return;
	g_ptr_array_unref(s->undefined);
	g_ptr_array_unref(s->defined);
	g_array_unref(s->exports);
	g_ptr_array_unref(s->imports);
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
		       const char *space)
{
	struct elf_export e = { g_intern_string(name),
				g_intern_string(space ?: "") };

	g_array_append_val(s->exports, e);
}

/* Two strings stand at the symbol: the licence, then the namespace. */
static void read_export(Elf *elf, struct elf_symbols *s, const GElf_Sym *sym,
			const char *name)
{
	const char *licence = string_at(elf, sym->st_shndx, sym->st_value);
	const char *space = licence ? string_at(elf, sym->st_shndx,
				sym->st_value + strlen(licence) + 1) : NULL;

	add_export(s, name, space);
}

static bool is_export_section(Elf *elf, size_t strings, size_t index)
{
	Elf_Scn *scn = elf_getscn(elf, index);
	GElf_Shdr header;
	const char *name;

	if (!scn || !gelf_getshdr(scn, &header))
		return false;
	name = elf_strptr(elf, strings, header.sh_name);
	return name && !strcmp(name, ".export_symbol");
}

static void read_local(Elf *elf, size_t strings, struct elf_symbols *s,
		       const GElf_Sym *sym, const char *name)
{
	if (g_str_has_prefix(name, EXPORT_PREFIX) &&
	    is_export_section(elf, strings, sym->st_shndx))
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
		add_export(s, name + strlen(KSYMTAB_PREFIX), NULL);
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

static void read_modinfo(Elf_Scn *scn, struct elf_symbols *s)
{
	Elf_Data *data = elf_getdata(scn, NULL);
	const char *p = data ? data->d_buf : NULL, *end;

	for (end = p ? p + data->d_size : NULL; p && p < end;) {
		gsize n = strnlen(p, end - p);

		if (n > strlen(IMPORT_PREFIX) &&
		    !strncmp(p, IMPORT_PREFIX, strlen(IMPORT_PREFIX))) {
			g_autofree char *line = g_strndup(p, n);

			g_ptr_array_add(s->imports, (gpointer)g_intern_string(
					line + strlen(IMPORT_PREFIX)));
		}
		p += n + 1;
	}
}

static gint by_name(gconstpointer a, gconstpointer b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Of struct elf_export or of const char *: either begins with the name. */
static void sort_all(struct elf_symbols *s)
{
	g_ptr_array_sort(s->undefined, by_name);
	g_ptr_array_sort(s->defined, by_name);
	g_array_sort(s->exports, by_name);
	g_ptr_array_sort(s->imports, by_name);
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

	add_lines(text, 'U', s->undefined);
	add_lines(text, 'D', s->defined);
	for (guint i = 0; i < s->exports->len; i++) {
		const struct elf_export *e = &g_array_index(s->exports,
							struct elf_export, i);

		g_string_append_printf(text, "X %s %s\n", e->name, e->space);
	}
	add_lines(text, 'I', s->imports);
	return g_string_free(text, FALSE);
}

static bool take_line(struct elf_symbols *s, const char *line)
{
	const char *name = line + 2;
	g_auto(GStrv) pair = NULL;

	if (!*line || line[1] != ' ')
		return false;
	switch (*line) {
	case 'U':
		g_ptr_array_add(s->undefined, (gpointer)g_intern_string(name));
		return true;
	case 'D':
		g_ptr_array_add(s->defined, (gpointer)g_intern_string(name));
		return true;
	case 'I':
		g_ptr_array_add(s->imports, (gpointer)g_intern_string(name));
		return true;
	case 'X':
		pair = g_strsplit(name, " ", 2);
		add_export(s, pair[0], pair[1]);
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
				      sizeof(gpointer), by_name);
}

bool elf_symbols_needs(const struct elf_symbols *s, const char *name)
{
	return has(s->undefined, name);
}

bool elf_symbols_defines(const struct elf_symbols *s, const char *name)
{
	return has(s->defined, name);
}

const char *elf_symbols_exports(const struct elf_symbols *s, const char *name)
{
	const struct elf_export *e = NULL;

	if (s->exports->len)
		e = bsearch(&name, s->exports->data, s->exports->len,
			    sizeof(struct elf_export), by_name);
	return e ? e->space : NULL;
}

bool elf_symbols_imports(const struct elf_symbols *s, const char *space)
{
	return has(s->imports, space);
}
