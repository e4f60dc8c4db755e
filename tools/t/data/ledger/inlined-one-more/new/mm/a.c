#include <h.h>
void a(void)
{
	check(5);
}

void b(void)
{
	check(8);
}

