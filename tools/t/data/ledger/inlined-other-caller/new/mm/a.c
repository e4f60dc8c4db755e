#include <h.h>
void get(void);
void a(void)
{
	get();
}

void b(void)
{
	check(5);
}

