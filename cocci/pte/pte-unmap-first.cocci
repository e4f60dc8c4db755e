// Rule: pte-unmap-first
// Confidence: likely
// Summary: pte - 1 is unmapped though pte may still be the first entry
// Explain: a loop that is left before its first step leaves the pointer where it was
// Explain: mapped, so pte - 1 can lie in the page before. Keep what
// Explain: pte_offset_map_lock() returned in a variable and unmap that.

@initialize:python@ @@
# Is there a for loop that moves `name` in its head and can be left by a break or
# a goto?  The head is one point of the paths of spatch, the step in it as well.
def unmap_first_for(p, name):
    text = body(p)
    for head in re.finditer(r'\bfor \([^{};]*;[^{};]*;([^{};]*)\)\s*\{', text):
        if not re.search(r'\b%s(\+\+| \+=)|\+\+%s\b' % (name, name), head[1]):
            continue
        depth, end = 1, head.end()
        while depth and end < len(text):
            depth += {'{': 1, '}': -1}.get(text[end], 0)
            end += 1
        loop = text[head.end():end]
        if 'break;' in loop or any(label + ':' not in loop for label in
                                   re.findall(r'\bgoto (\w+);', loop)):
            return True
    return False

// A loop is left, or skipped, before the pointer has moved ...
@pte_unmap_first_out exists@
expression E;
identifier x, y, l;
identifier m =~ "^(pte_offset_map|pte_alloc_map|get_locked_pte)";
position q;
@@
 \( x = m@q(...) \| y = x = m@q(...) \| x = y = m@q(...) \)
 ... when != x++
     when != ++x
     when != x += E
     when != x = E
 \( break; \| goto l; \)

// ... and on a path where it did not, the entry before it is unmapped.
@pte_unmap_first exists@
identifier pte_unmap_first_out.x, y;
identifier pte_unmap_first_out.m;
position pte_unmap_first_out.q;
identifier u =~ "^pte_unmap(_unlock)?$";
expression E;
position p;
@@
 \( x = m@q(...) \| y = x = m@q(...) \| x = y = m@q(...) \)
 ... when != x++
     when != ++x
     when != x += E
     when != x = E
 u@p(x - 1, ...)

@script:python@
x << pte_unmap_first_out.x;
u << pte_unmap_first.u;
p << pte_unmap_first.p;
q << pte_unmap_first_out.q;
@@
# A declaration may move it: 'pte_t ptent = ptep_get(pte++);'.
if not re.search(r'\w+ \w+ = [^;]*\b%s\+\+' % x, body(p)):
    hit('pte-unmap-first', p, "%s(%s - 1) on a path where '%s' did not advance"
        % (u, x, x), q)

@pte_unmap_first_for@
identifier x;
identifier u =~ "^pte_unmap(_unlock)?$";
position p;
@@
 u@p(x - 1, ...)

@script:python@
x << pte_unmap_first_for.x;
u << pte_unmap_first_for.u;
p << pte_unmap_first_for.p;
@@
if unmap_first_for(p, x):
    hit('pte-unmap-first', p, "%s(%s - 1) on a path where '%s' did not advance"
        % (u, x, x))

