module github.com/example/petri-sandbox/clients/go/petricontainer

go 1.24.0

require (
	github.com/example/petri-sandbox/clients/go v0.1.0
	github.com/testcontainers/testcontainers-go v0.40.0
)
