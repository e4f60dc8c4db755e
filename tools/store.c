// SPDX-License-Identifier: GPL-2.0
/*
 * One commit per result, synchronous=NORMAL: a commit is then a write to the
 * log without fsync (0.3 ms), and a killed run loses nothing.
 */
#include <sqlite3.h>
#include <zlib.h>
#include "error.h"
#include "store.h"

#define APPLICATION_ID 0x7265736e	/* "resn", for file(1) and for us */
#define BUSY_MS 10000

enum statement {
	GET, PUT, PUT_REPORT, GET_REPORT, LAST_REPORT, REPORT_NAMES, STATEMENTS
};

static const char *const sql[STATEMENTS] = {
	[GET] = "SELECT outcome, diags, deps, reason, seconds, sum, symbols"
		" FROM result WHERE key = ?1",
	[PUT] = "INSERT OR REPLACE INTO result (key, outcome, diags, deps,"
		" reason, seconds, sum, created, symbols)"
		" VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, unixepoch(), ?8)",
	[PUT_REPORT] = "INSERT OR REPLACE INTO report (series, json, created)"
		" VALUES (?1, ?2, unixepoch())",
	[GET_REPORT] = "SELECT json FROM report WHERE series = ?1",
	[LAST_REPORT] = "SELECT json FROM report ORDER BY id DESC LIMIT 1",
	[REPORT_NAMES] = "SELECT series FROM report ORDER BY id DESC",
};

/*
 * migrations[n] brings schema n to n + 1.  Never change an entry that was
 * released: add one.
 */
static const char *const migrations[] = {
	"CREATE TABLE result ("
	" key TEXT PRIMARY KEY NOT NULL,"
	" outcome INTEGER NOT NULL,"
	" diags TEXT NOT NULL,"
	" deps TEXT NOT NULL,"
	" reason TEXT NOT NULL,"
	" seconds REAL NOT NULL,"
	" sum INTEGER NOT NULL,"
	" created INTEGER NOT NULL) STRICT;"
	/* AUTOINCREMENT: the highest id is the last put, also after a REPLACE */
	"CREATE TABLE report ("
	" id INTEGER PRIMARY KEY AUTOINCREMENT,"
	" series TEXT UNIQUE NOT NULL,"
	" json TEXT NOT NULL,"
	" created INTEGER NOT NULL) STRICT;",
	"ALTER TABLE result ADD COLUMN symbols TEXT NOT NULL DEFAULT '';",
};

#define SCHEMA ((int)G_N_ELEMENTS(migrations))

struct store {
	sqlite3 *db;
	char *path;
	sqlite3_stmt *statements[STATEMENTS];
};

static int fail(struct store *s, const char *doing, GError **error)
{
	int code = s->db ? sqlite3_errcode(s->db) : SQLITE_NOMEM;
	const char *why = s->db ? sqlite3_errmsg(s->db) : "out of memory";

	if (code == SQLITE_CORRUPT || code == SQLITE_NOTADB)
		g_set_error(error, RESPIN_ERROR, RESPIN_ERROR_IO,
			    "the store '%s' is damaged (%s);"
			    " remove the file, its results are made again",
			    s->path, why);
	else
		g_set_error(error, RESPIN_ERROR, RESPIN_ERROR_IO,
			    "cannot %s the store '%s': %s", doing, s->path, why);
	return -1;
}

static int read_int(struct store *s, const char *query, int *value)
{
	sqlite3_stmt *st;
	int rc = sqlite3_prepare_v2(s->db, query, -1, &st, NULL);

	if (rc)
		return rc;
	rc = sqlite3_step(st);
	if (rc == SQLITE_ROW)
		*value = sqlite3_column_int(st, 0);
	sqlite3_finalize(st);
	return rc == SQLITE_ROW ? SQLITE_OK : rc;
}

/* A file that is not ours is not touched. */
static int check_identity(struct store *s, int *version, GError **error)
{
	int id = 0, tables = 0;

	if (read_int(s, "PRAGMA user_version", version) ||
	    read_int(s, "PRAGMA application_id", &id) ||
	    read_int(s, "SELECT count(*) FROM sqlite_schema", &tables))
		return fail(s, "open", error);
	if (tables && id != APPLICATION_ID) {
		g_set_error(error, RESPIN_ERROR, RESPIN_ERROR_IO,
			    "'%s' is a database, but no store of respin;"
			    " choose another respin.cacheDir",
			    s->path);
		return -1;
	}
	if (*version > SCHEMA) {
		g_set_error(error, RESPIN_ERROR, RESPIN_ERROR_IO,
			    "the store '%s' has schema %d of a newer respin,"
			    " this one knows %d; use the newer one, or remove the file",
			    s->path, *version, SCHEMA);
		return -1;
	}
	return 0;
}

static int exec(struct store *s, const char *query)
{
	return sqlite3_exec(s->db, query, NULL, NULL, NULL);
}

/* In one transaction: another process may be making the store just now. */
static int identify(struct store *s, int *version, GError **error)
{
	int rc;

	if (exec(s, "BEGIN"))
		return fail(s, "open", error);
	rc = check_identity(s, version, error);
	exec(s, "COMMIT");
	return rc;
}

static int run_migrations(struct store *s, GError **error)
{
	g_autofree char *done = g_strdup_printf(
		"PRAGMA application_id = %d; PRAGMA user_version = %d; COMMIT",
		APPLICATION_ID, SCHEMA);
	int version;

	/* Another process may have been faster: look again under the lock. */
	if (exec(s, "BEGIN IMMEDIATE"))
		return fail(s, "write", error);
	if (check_identity(s, &version, error))
		return -1;
	for (; version < SCHEMA; version++)
		if (exec(s, migrations[version]))
			return fail(s, "write", error);
	return exec(s, done) ? fail(s, "write", error) : 0;
}

static int migrate(struct store *s, GError **error)
{
	int rc = run_migrations(s, error);

	if (rc && !sqlite3_get_autocommit(s->db))
		exec(s, "ROLLBACK");
	return rc;
}

/*
 * The first process that opens a store turns the log on; who comes at that
 * moment gets SQLITE_BUSY at once, without the wait of busy_timeout.
 */
static int turn_log_on(struct store *s, GError **error)
{
	static const char query[] =
		"PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL";
	int rc = exec(s, query);

	for (int waited = 0; rc == SQLITE_BUSY && waited < BUSY_MS; waited += 10) {
		g_usleep(10000);
		rc = exec(s, query);
	}
	return rc ? fail(s, "open", error) : 0;
}

static int set_up(struct store *s, GError **error)
{
	int version;

	if (sqlite3_open_v2(s->path, &s->db,
			    SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, NULL))
		return fail(s, "open", error);
	sqlite3_busy_timeout(s->db, BUSY_MS);
	if (identify(s, &version, error))
		return -1;
	if (turn_log_on(s, error))
		return -1;
	if (version < SCHEMA && migrate(s, error))
		return -1;
	for (int i = 0; i < STATEMENTS; i++)
		if (sqlite3_prepare_v3(s->db, sql[i], -1,
				       SQLITE_PREPARE_PERSISTENT,
				       &s->statements[i], NULL))
			return fail(s, "read", error);
	return 0;
}

struct store *store_open(const char *path, GError **error)
{
	struct store *s = g_new0(struct store, 1);
	g_autofree char *dir = g_path_get_dirname(path);

	s->path = g_strdup(path);
	/* When this fails, the open that follows says why. */
	g_mkdir_with_parents(dir, 0755);
	if (!set_up(s, error))
		return s;
	store_close(s);
	return NULL;
}

void store_close(struct store *s)
{
	if (!s)
		return;
	for (int i = 0; i < STATEMENTS; i++)
		sqlite3_finalize(s->statements[i]);
	sqlite3_close(s->db);
	g_free(s->path);
	g_free(s);
}

static guint32 add_sum(guint32 sum, const char *text)
{
	return crc32(sum, (const Bytef *)text, strlen(text) + 1);
}

/*
 * SQLite finds damage to its own structure, not to a value: a flipped bit in
 * an outcome would be a wrong verdict.
 */
static guint32 checksum(const char *key, const struct job_result *r)
{
	g_autofree char *outcome = g_strdup_printf("%d", r->outcome);
	guint32 sum = add_sum(0, key);

	sum = add_sum(sum, outcome);
	sum = add_sum(sum, r->diags);
	sum = add_sum(sum, r->deps);
	sum = add_sum(sum, r->reason);
	sum = add_sum(sum, r->symbols);
	return crc32(sum, (const Bytef *)&r->seconds, sizeof(r->seconds));
}

static void bind_text(sqlite3_stmt *st, int column, const char *text)
{
	sqlite3_bind_text(st, column, text, -1, SQLITE_STATIC);
}

static char *column_text(sqlite3_stmt *st, int column)
{
	const unsigned char *text = sqlite3_column_text(st, column);

	return g_strdup(text ? (const char *)text : "");
}

/* Ends a use of @st; the bound texts belong to the caller. */
static void release(sqlite3_stmt *st)
{
	sqlite3_reset(st);
	sqlite3_clear_bindings(st);
}

bool store_get(struct store *s, const char *key, struct job_result *result)
{
	sqlite3_stmt *st = s->statements[GET];
	bool found = false;

	memset(result, 0, sizeof(*result));
	bind_text(st, 1, key);
	if (sqlite3_step(st) == SQLITE_ROW) {
		result->outcome = sqlite3_column_int(st, 0);
		result->diags = column_text(st, 1);
		result->deps = column_text(st, 2);
		result->reason = column_text(st, 3);
		result->seconds = sqlite3_column_double(st, 4);
		result->symbols = column_text(st, 6);
		found = sqlite3_column_int64(st, 5) == checksum(key, result);
	}
	release(st);
	if (!found)
		job_result_clear(result);
	return found;
}

static int write_row(struct store *s, enum statement which, GError **error)
{
	sqlite3_stmt *st = s->statements[which];
	int rc = 0;

	/* The message is gone after the reset: it has a result of its own. */
	if (sqlite3_step(st) != SQLITE_DONE)
		rc = fail(s, "write", error);
	release(st);
	return rc;
}

int store_put(struct store *s, const char *key, const struct job_result *r,
	      GError **error)
{
	const struct job_result whole = {
		.outcome = r->outcome,
		.diags = r->diags ?: "",
		.deps = r->deps ?: "",
		.reason = r->reason ?: "",
		.symbols = r->symbols ?: "",
		.seconds = r->seconds,
	};
	sqlite3_stmt *st = s->statements[PUT];

	bind_text(st, 1, key);
	sqlite3_bind_int(st, 2, r->outcome);
	bind_text(st, 3, whole.diags);
	bind_text(st, 4, whole.deps);
	bind_text(st, 5, whole.reason);
	sqlite3_bind_double(st, 6, r->seconds);
	sqlite3_bind_int64(st, 7, checksum(key, &whole));
	bind_text(st, 8, whole.symbols);
	return write_row(s, PUT, error);
}

void job_result_clear(struct job_result *r)
{
	g_free(r->diags);
	g_free(r->deps);
	g_free(r->reason);
	g_free(r->symbols);
	memset(r, 0, sizeof(*r));
}

int store_put_report(struct store *s, const char *series, const char *json,
		     GError **error)
{
	bind_text(s->statements[PUT_REPORT], 1, series);
	bind_text(s->statements[PUT_REPORT], 2, json);
	return write_row(s, PUT_REPORT, error);
}

/* The text in the first row of @st, or NULL. */
static char *first_text(sqlite3_stmt *st)
{
	char *text = NULL;

	if (sqlite3_step(st) == SQLITE_ROW)
		text = column_text(st, 0);
	release(st);
	return text;
}

char *store_report(struct store *s, const char *series)
{
	bind_text(s->statements[GET_REPORT], 1, series);
	return first_text(s->statements[GET_REPORT]);
}

char *store_last_report(struct store *s)
{
	return first_text(s->statements[LAST_REPORT]);
}

char **store_report_names(struct store *s)
{
	sqlite3_stmt *st = s->statements[REPORT_NAMES];
	GPtrArray *names = g_ptr_array_new();

	while (sqlite3_step(st) == SQLITE_ROW)
		g_ptr_array_add(names, column_text(st, 0));
	release(st);
	g_ptr_array_add(names, NULL);
	return (char **)g_ptr_array_free(names, FALSE);
}
