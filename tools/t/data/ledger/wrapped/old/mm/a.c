int a(int n);
int a(int n)
{
	{ int page; }
	return n;
}
