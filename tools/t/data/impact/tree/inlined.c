int a = inline_amd();
