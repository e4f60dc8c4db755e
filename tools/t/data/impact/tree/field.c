int a = FIELD(ctrl, enable);
