int a(int n);
int a(int n)
{
	if (n) {
		{ int page; }
		n++;
	}
	return n;
}
