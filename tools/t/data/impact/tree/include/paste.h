#define PCI_ID_AMD 1
#define PCI_ID_INTEL 2
#define VDEV(vend, dev) \
	{ PCI_ID_##vend, dev }
#define HAND_ON(v) VDEV(v, 7)
#define ONLY_AMD VDEV(AMD, 8)
#define FIELD(reg, field) reg##_##field
#define HELPED(x) __PASTE(helped_, x)
#define NO_ARGS COMMA(a, ##__VA_ARGS__)
static inline int inline_amd(void)
{
	return take(VDEV(AMD, 1));
}
