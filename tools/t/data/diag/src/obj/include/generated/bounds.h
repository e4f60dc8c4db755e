#define NR_PAGEFLAGS 22
static int generated_unused(int x)
{
	int y;
	return BAD_BOUND;
}
