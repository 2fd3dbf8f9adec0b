#!/usr/bin/env bash
# Tests the clients in other languages, and the same test written in each, with the Petri that is built. Nothing is downloaded.
# A language whose tools are missing is left out with a line that says so.
set -euo pipefail
cd "$(dirname "$0")/.."
root="$PWD"
export PETRI_COMMAND="node $root/dist/cli/main.js"

left_out() { printf 'left out: %s\n' "$1"; }

if command -v go >/dev/null; then
  # No module is needed but these.
  export GOPROXY=off GOFLAGS=-mod=mod GOTOOLCHAIN=local
  unformatted="$(gofmt -l clients/go examples/same-test/go)"
  [ -z "$unformatted" ] || { echo "gofmt would change $unformatted"; exit 1; }
  (cd clients/go && go vet ./... && go test -count=1 ./...)
  (cd examples/same-test/go && go vet ./... && go test -count=1 ./...)
else
  left_out 'Go, because there is no go'
fi

# The libraries of Debian: apt-get install junit5 libjackson2-databind-java openjdk-17-jdk-headless
java_libraries=(jackson-annotations jackson-core jackson-databind apiguardian-api opentest4j junit-jupiter-api \
  junit-jupiter-engine junit-platform-commons junit-platform-engine junit-platform-launcher junit-platform-reporting \
  junit-platform-console opentest4j-reporting-events picocli)
class_path=''
missing=''
for library in "${java_libraries[@]}"; do
  jar="/usr/share/java/$library.jar"
  if [ -e "$jar" ]; then class_path="$class_path:$jar"; else missing="$missing $library"; fi
done
if ! command -v javac >/dev/null; then
  left_out 'Java, because there is no javac'
elif [ -n "$missing" ]; then
  left_out "Java, because these libraries of Debian are missing:$missing"
else
  classes="$(mktemp -d)"
  trap 'rm -rf "$classes"' EXIT
  javac --release 17 -Xlint:all,-processing,-classfile,-path -Werror -d "$classes" -cp "${class_path#:}" \
    clients/java/src/{main,test}/java/petri/sandbox/*.java examples/same-test/java/*.java
  (cd clients/java && java -cp "$classes$class_path" org.junit.platform.console.ConsoleLauncher \
    --scan-classpath "$classes" --disable-banner --details=tree --fail-if-no-tests)
fi
