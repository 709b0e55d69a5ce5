haus	house	-0.7
haus	home	nan
