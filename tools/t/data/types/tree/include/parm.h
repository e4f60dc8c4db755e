struct parm {
	int a;
};
struct parm *parm_of(void *x);
static inline struct parm *weak_of(void *x)
{
	return x;
}
#define PARM(x) ((struct parm *)(x))
#define PARM_SIZE sizeof(struct parm)
#define DEFINE_PARM(x) struct parm x = { 0 }
extern struct parm first_parm;
struct points {
	struct parm *p;
	int (*f)(struct parm *p);
};
static inline int parm_get(struct parm *p)
{
	return p->a;
}
static inline int parm_local(void)
{
	struct parm local = { 0 };

	return local.a;
}
static inline void parm_clear(struct parm *p)
{
	memset(p, 0, sizeof(struct parm));
}
static inline int parm_checked(struct parm *p)
{
	BUILD_BUG_ON(sizeof(*p) > 8);
	return 0;
}
