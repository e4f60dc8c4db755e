int a(int c)
{
	undeclared = c;
	if (c)
		return 1;
}
