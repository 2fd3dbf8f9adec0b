module example.com/kits

go 1.19

require github.com/example/petri-sandbox/clients/go v0.0.0

// In the repository of Petri; elsewhere a version takes its place.
replace github.com/example/petri-sandbox/clients/go => ../../../clients/go
