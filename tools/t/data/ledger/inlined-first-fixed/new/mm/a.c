#include <h.h>
void a(void)
{
	check(1);
}

void b(void)
{
	check(8);
}

