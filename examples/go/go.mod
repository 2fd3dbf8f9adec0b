module example.com/petri

go 1.22
