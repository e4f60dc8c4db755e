int f(enum kind k) {
	switch (k) {
	}
}
