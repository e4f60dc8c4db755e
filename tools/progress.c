// SPDX-License-Identifier: GPL-2.0
#include "progress.h"
#include "term.h"

#define REDRAW_US (G_USEC_PER_SEC / 10)

/* An estimate from less than this is a guess. */
#define ETA_AFTER_SECONDS 3

struct progress {
	FILE *out;
	char *phase;
	unsigned int done, total, found;
	gint64 start, phase_start;	/* microseconds, monotonic */
	gint64 drawn;			/* when; 0: not there */
};

struct progress *progress_new(FILE *out, bool quiet)
{
	struct progress *p;

	if (quiet || !term_is_live(out))
		return NULL;
	p = g_new0(struct progress, 1);
	p->out = out;
	p->phase = g_strdup("");
	p->start = p->phase_start = g_get_monotonic_time();
	return p;
}

void progress_free(struct progress *p)
{
	if (!p)
		return;
	progress_clear(p);
	g_free(p->phase);
	g_free(p);
}

static void append_time(GString *s, double seconds)
{
	if (seconds < 100)
		g_string_append_printf(s, "%.0f s", seconds);
	else if (seconds < 100 * 60)
		g_string_append_printf(s, "%.0f min", seconds / 60);
	else
		g_string_append_printf(s, "%.1f h", seconds / 3600);
}

char *progress_line(const struct progress_view *v, unsigned int columns)
{
	g_autoptr(GString) s = g_string_new(v->phase);

	if (v->total)
		g_string_append_printf(s, ": %u of %u done, %u %s, %u left",
				       v->done, v->total, v->found,
				       v->found == 1 ? "finding" : "findings",
				       v->total - MIN(v->done, v->total));
	g_string_append(s, ", ");
	append_time(s, v->seconds);
	if (v->done && v->done < v->total &&
	    v->phase_seconds >= ETA_AFTER_SECONDS) {
		g_string_append(s, ", about ");
		append_time(s, v->phase_seconds / v->done *
			    (v->total - v->done));
		g_string_append(s, " to go");
	}
	return term_cut(s->str, columns);
}

static void draw(struct progress *p)
{
	gint64 now = g_get_monotonic_time();
	const struct progress_view v = {
		.phase = p->phase, .done = p->done, .total = p->total,
		.found = p->found,
		.seconds = (now - p->start) / (double)G_USEC_PER_SEC,
		.phase_seconds = (now - p->phase_start) / (double)G_USEC_PER_SEC,
	};
	/* A line as wide as the terminal would wrap on some. */
	g_autofree char *line = progress_line(&v, term_columns(p->out) - 1);

	fprintf(p->out, "\r%s\033[K", line);
	fflush(p->out);
	p->drawn = now;
}

void progress_phase(struct progress *p, const char *phase)
{
	if (!p)
		return;
	g_free(p->phase);
	p->phase = term_escape(phase);
	p->done = p->total = p->found = 0;
	p->phase_start = g_get_monotonic_time();
	draw(p);
}

void progress_jobs(struct progress *p, unsigned int done, unsigned int total,
		   unsigned int found)
{
	if (!p)
		return;
	p->done = done;
	p->total = total;
	p->found = found;
	progress_tick(p);
}

void progress_tick(struct progress *p)
{
	if (p && g_get_monotonic_time() - p->drawn >= REDRAW_US)
		draw(p);
}

void progress_clear(struct progress *p)
{
	if (!p || !p->drawn)
		return;
	fputs("\r\033[K", p->out);
	fflush(p->out);
	p->drawn = 0;
}
