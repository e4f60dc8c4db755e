/* What ctags takes for something else, and what it does not. */
#define ONE 1
#define LONG_ONE(x) \
	do {		\
		(x)++;	\
	} while (0)

int __printf(2, 3) attr_between(int a, const char *b, ...);
__printf(1, 2)
int attr_before(const char *fmt, ...);
void __noreturn attr_behind(int x) __cold;

static inline pte_t
type_above(int x)
{
#if A
	if (x) {
#else
	{
#endif
	}
	return x;
}

PAGEFLAG(Foo, foo)
static inline int swallowed(void)
{
	return 0;
}

static inline int after(void)
{
	return 0;
}

static DEFINE_MUTEX(lock);
module_init(start);

TRACE_EVENT(thing,
	TP_PROTO(int x),
	TP_ARGS(x)
);

static inline bool IS_CAPS(int x) { return x; }

struct foo {
	int member;
#define FOO_INSIDE 1
	int (*op)(int);
};

typedef unsigned int word_t;
enum color { RED, GREEN };
union both { int a; };
extern int outside;
#ifdef ALT
int alternative(void);
#else
static inline int alternative(void) { return 0; }
#endif
