int o = other(); int p = innocent(1);
