module github.com/example/petri-sandbox/clients/go

go 1.19
