// Rule: ordering
// Confidence: likely
// Summary: an inline function of a header calls one that is defined below it
// Explain: a header is compiled from top to bottom. Where no other header has
// Explain: declared the callee before, the call is an implicit declaration and
// Explain: the definition conflicts with it. Move the caller below the callee,
// Explain: and out of any #ifndef block that the callee is not in.

@initialize:python@ @@
ordering_defined = {}
ordering_before = {}
ordering_hits = set()

# The first line of a macro of that name, for headers that define
# 'name' as itself to say that there is one.
def ordering_macro(file, name):
    for i, line in enumerate(source(file)):
        if re.match(r'\s*#\s*define\s+%s\b' % name, line):
            return i + 1
    return 1 << 30

@ordering_def@
identifier f;
position p;
@@
f@p(...) { ... }

@script:python@
f << ordering_def.f;
p << ordering_def.p;
@@
ordering_defined.setdefault((p[0].file, f), []).append(p)

@ordering_proto@
identifier f;
type T;
position p;
@@
T f@p(...);

@script:python@
f << ordering_proto.f;
p << ordering_proto.p;
@@
ordering_before.setdefault((p[0].file, f), []).append(int(p[0].line))

@ordering_call@
identifier f;
position p;
@@
f@p(...)

@script:python@
f << ordering_call.f;
p << ordering_call.p;
@@
file, caller, line = p[0].file, p[0].current_element, int(p[0].line)
later = ordering_defined.get((file, f), [])
before = [int(q[0].line) for q in later] + ordering_before.get((file, f), [])
if (later and file.endswith('.h') and (file, caller) in ordering_defined
        and caller != f and min(before) > line
        and ordering_macro(file, f) > line
        and (file, caller, f) not in ordering_hits):
    ordering_hits.add((file, caller, f))
    hit('ordering', p, "%s() calls %s(), which is defined further down"
        % (caller, f), later[0])
