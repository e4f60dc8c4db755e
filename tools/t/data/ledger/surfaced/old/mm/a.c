#include <h.h>
struct s a(int c)
{
	struct s v = { c };

	v = missing(c);
	return v;
}

struct s b(int c)
{
	struct s v = { c };

	v = missing(c);
	return v;
}

