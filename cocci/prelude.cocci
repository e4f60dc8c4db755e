// What all rules share.  The rule files follow it in the one file that spatch
// reads; README says how.

virtual report

@initialize:python@ @@
import json, os, re

# A hit is one line, said once; `places` are further places in the same file.
said = set()

def hit(rule, p, message, *places):
    where = p[0].current_element
    if where == 'something_else':
        where = '-'
    fields = ['respin', rule, p[0].file, p[0].line, p[0].column, where, message]
    if tuple(fields) not in said:
        said.add(tuple(fields))
        print('\t'.join(fields + [q[0].line for q in places]), flush=True)

# An expression as it stands in the source: spatch puts blanks in it.
def c(expression):
    text = re.sub(r'\s*(->|\.)\s*', r'\1', expression.strip())
    return re.sub(r'(?<=\w)\s+\(|(?<=\()\s+|\s+(?=[),])',
                  lambda m: '(' if '(' in m[0] else '', text)

def named(name, text):
    return re.search(r'(?<![\w.>])%s(?!\w)' % re.escape(name), text)

# The lines of a file without comments and strings; line n is source(f)[n - 1].
sources = {}

def source(file):
    if file not in sources:
        with open(file, errors='replace') as f:
            text = f.read()
        text = re.sub(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"',
                      lambda m: re.sub(r'[^\n]', ' ', m[0]), text, flags=re.S)
        sources[file] = text.split('\n')
    return sources[file]

# The text of the function that a position is in, #if and all.
def body(p):
    return '\n'.join(source(p[0].file)[int(p[0].current_element_line) - 1:
                                       int(p[0].current_element_line_end)])

# Lines of text around a position, from `before` above to `after` below.
def around(p, before, after):
    line = int(p[0].line)
    return '\n'.join(source(p[0].file)[max(line - 1 - before, 0):line + after])

def same_place(p, q):
    return p[0].line == q[0].line and p[0].column == q[0].column

# Words for numbers of pages and for byte addresses.
PAGES = re.compile(r'(^|->|\.)(nr|nr_pages|npages|nr_ptes|max_nr|max_nr_ptes'
                   r'|nrpages|nr_entries|ncontig)$'
                   r'|^(folio|thp|compound|hpage)_nr(_pages)?\([^()]*\)$'
                   r'|^(HPAGE_P[MU]D_NR|CONT_P(TE|MD)S)$')
ADDRESS = re.compile(r'(^|->|\.)(\w*addr(ess)?|vm_(start|end)|va)$|^p[mugt4]d_addr_end\(')
RANGE = re.compile(r'^\w*(start|begin|next|end|stop)$')
BYTES = (r'(\w*addr(ess)?|vm_start|vm_end|P(AGE|MD|UD)_(SIZE|MASK)'
         r'|PAGE_ALIGN\w*|CONT_P(TE|MD)_SIZE|HPAGE_P(MD|UD)_SIZE)')

# Is `name` a byte address?  By its name; or, for a 'start' or an 'end', as a
# parameter beside a vma, or by a statement that has an address or a size in it.
def is_bytes(name, p):
    name = c(name)
    if ADDRESS.search(name):
        return True
    if not RANGE.search(name):
        return False
    text = body(p)
    n = re.escape(name)
    if re.search(r'\b(pgoff_t|pfn_t)\b[^;(){}]*\b%s\b' % n, text):
        return False
    if re.search(r'\b%s\s*<<\s*PAGE_SHIFT|\b%s\s*=[^;]*(pgoff|pfn|index|offset)'
                 % (n, n), text):
        return False
    head = text[:text.find('{')]
    if 'vm_area_struct' in head and re.search(r'unsigned long %s\b' % n, head):
        return True
    return bool(re.search(r'\b%s\b[^;{}]*\b%s\b|\b%s\b\s*[-+*/,=<>!|&]+[^;{}]*\b%s\b'
                          % (n, BYTES, BYTES, n), text))

def is_pages(name):
    return bool(PAGES.search(c(name)))

# Which parameters of a function are numbers of pages: {name: [index, ...]}.
# The file named by RESPIN_NR has those of the tree.
nr_params = {
    '__clear_young_dirty_ptes': [3], 'clear_full_ptes': [3],
    'clear_not_present_full_ptes': [3], 'clear_young_dirty_ptes': [3],
    'contpte_clear_full_ptes': [3], 'contpte_clear_young_dirty_ptes': [3],
    'contpte_get_and_clear_full_ptes': [3], 'contpte_set_ptes': [4],
    'contpte_wrprotect_ptes': [3], 'folio_add_anon_rmap_ptes': [2],
    'folio_add_file_rmap_ptes': [2], 'folio_dup_file_rmap_ptes': [2],
    'folio_pte_batch': [4], 'folio_remove_rmap_ptes': [2],
    'folio_try_dup_anon_rmap_ptes': [2], 'free_swap_and_cache_nr': [1],
    'get_and_clear_full_ptes': [3], 'modify_prot_commit_ptes': [5],
    'modify_prot_start_ptes': [3], 'set_ptes': [4], 'swap_pte_batch': [1],
    'tlb_remove_tlb_entries': [2], 'update_mmu_cache_range': [4],
    'wrprotect_ptes': [3],
}
if os.environ.get('RESPIN_NR'):
    with open(os.environ['RESPIN_NR']) as f:
        nr_params = json.load(f)

def takes_pages(function, index):
    return int(index) in nr_params.get(function, [])

