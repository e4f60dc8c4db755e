struct id a = ONLY_AMD;
