#include <h.h>
void get(void);
void a(void)
{
	check(5);
}

void b(void)
{
	get();
}

