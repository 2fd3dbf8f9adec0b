#!/usr/bin/env bash
# Tests the clients in other languages, and the same test written in each, with the Petri that is built. Nothing is downloaded.
# A language whose tools are missing is left out with a line that says so. With "same-test" it runs that test only, at PETRI_URL if set.
set -euo pipefail
cd "$(dirname "$0")/../.."
root="$PWD"
tests="${1:-all}"
export PETRI_COMMAND="node '$root/dist/cli/main.js'"

left_out() { printf 'left out: %s\n' "$1"; }

work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT

# The libraries of Debian: apt-get install python3-httpx python3-pytest python3-requests python3-yaml python3-setuptools python3-wheel
# python3-venv python3-freezegun mypy
python=''
for candidate in /usr/bin/python3 python3; do
  if "$candidate" -c 'import sys, httpx, pytest, requests, yaml, setuptools, wheel, venv, ensurepip; assert sys.version_info >= (3, 10)' 2>/dev/null; then
    python="$candidate"
    break
  fi
done
if [ -n "$python" ]; then
  # As it is published: a wheel, installed beside what the system has. Its plugin is found by pytest itself.
  cp -r clients/python "$work/python"
  "$python" -m venv --system-site-packages "$work/venv"
  "$work/venv/bin/python" -m pip wheel --quiet --no-index --no-deps --no-build-isolation --wheel-dir "$work" "$work/python"
  "$work/venv/bin/python" -m pip install --quiet --no-index --no-deps "$work"/petri_sandbox-*.whl
  cp -r examples/same-test/python "$work/example"
  cp examples/app/python/*.py "$work/example"
  (cd "$work/example" && "$work/venv/bin/python" -m pytest -q -p no:cacheprovider)
  [ "$tests" = same-test ] || "$python" - clients/python/src/petri_sandbox/*.py <<'PYTHON'
import ast, sys
for file in sys.argv[1:]:
    ast.parse(open(file).read(), file, feature_version=(3, 10))
PYTHON
  # Decorators of older pytests have no types.
  if [ "$tests" = same-test ]; then
    :
  elif "$python" -m mypy --version >/dev/null 2>&1; then
    "$python" -m mypy --config-file clients/python/pyproject.toml --strict --allow-untyped-decorators --python-version 3.10 --cache-dir "$work/mypy" clients/python/src
  else
    left_out 'the types of the Python client, because there is no mypy'
  fi
else
  left_out 'the wheel of the Python client, because there is no Python 3.10 with httpx, pytest, requests, yaml, setuptools, wheel and venv'
fi

if command -v go >/dev/null; then
  # No module is needed but these.
  export GOPROXY=off GOFLAGS=-mod=mod GOTOOLCHAIN=local
  unformatted="$(gofmt -l clients/go examples/same-test/go)"
  [ -z "$unformatted" ] || { echo "gofmt would change $unformatted"; exit 1; }
  [ "$tests" = same-test ] || (cd clients/go && go vet ./... && go test -count=1 ./...)
  (cd examples/same-test/go && go vet ./... && go test -count=1 ./...)
  # All of its checks. Debian calls it go-staticcheck.
  if ! staticcheck="$(command -v staticcheck go-staticcheck | head -1)" || [ -z "$staticcheck" ]; then
    left_out 'staticcheck of the Go client, because there is none: apt-get install go-staticcheck'
  elif [ "$tests" != same-test ]; then
    for module in clients/go examples/same-test/go; do (cd "$module" && "$staticcheck" -checks all ./...); done
  fi
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
  classes="$work/classes"
  if [ "$tests" = same-test ]; then parts=main; else parts='{main,test}'; fi
  javac --release 17 -Xlint:all,-processing,-classfile,-path -Werror -d "$classes" -cp "${class_path#:}" \
    $(eval "echo clients/java/src/$parts/java/petri/sandbox/*.java") examples/same-test/java/*.java
  console() { java -cp "$classes$class_path" org.junit.platform.console.ConsoleLauncher --disable-banner "$@"; }
  (cd clients/java && console --scan-classpath "$classes" --details=tree --fail-if-no-tests)

  # What failing tests print; those of EndingTest run at the same time, and none may hang.
  failing=clients/java/src/test/failing
  compared() { node scripts/ci/compare-printed.mjs "$failing/printed/$1.txt" ${WRITE_PRINTED:+--write}; }
  if [ "$tests" != same-test ]; then
    javac --release 17 -Xlint:all,-processing,-classfile,-path -Werror -d "$work/failing" -cp "$classes$class_path" \
      $failing/src/test/java/*.java
    for each in FailingTest EndingTest; do
      { java -cp "$work/failing:$classes$class_path" org.junit.platform.console.ConsoleLauncher --select-class=$each \
        --details=summary --disable-banner --disable-ansi-colors --config=junit.jupiter.execution.parallel.enabled=true 2>&1 || true; } |
        compared "console-$each"
    done
    javadoc -quiet -Xdoclint:all,-missing -Werror -d "$work/javadoc" -cp "${class_path#:}" clients/java/src/main/java/petri/sandbox/*.java
  fi
fi

# The documented command, the kit's own tests and failing ones, with what Debian has of Maven:
# apt-get install maven libsurefire-java libmaven-compiler-plugin-java libmaven-install-plugin-java libmaven-jar-plugin-java libmaven-resources-plugin-java
debian=/usr/share/maven-repo
newest() { ls "$debian/$1" | grep '^[0-9]' | sort -V | tail -1; }
plugin() { printf -- '-D%s.plugin.version=%s ' "$1" "$(newest "org/apache/maven/plugins/maven-$1-plugin")"; }
documented='mvn --file petri-sandbox/clients/java install'
if [ "$tests" = same-test ] || [ -z "$class_path" ] || [ -n "$missing" ]; then
  :
elif ! command -v mvn >/dev/null || ! (for each in compiler install jar resources surefire; do plugin $each; done) >"$work/versions" 2>/dev/null; then
  left_out 'Maven, because mvn or its plugins of Debian are missing'
else
  grep -qxF "$documented" docs/testing.md
  given="--batch-mode --quiet --settings $work/settings.xml -Dmaven.repo.local=$work/m2 $(cat "$work/versions")"
  given+=" -Djackson.version=$(newest com/fasterxml/jackson/core/jackson-databind) -Djunit.version=$(newest org/junit/jupiter/junit-jupiter)"
  given+=" -Djunit.platform.version=$(newest org/junit/platform/junit-platform-launcher)"
  repository="<id>debian</id><url>file://$debian</url><releases><checksumPolicy>ignore</checksumPolicy></releases>"
  cat >"$work/settings.xml" <<SETTINGS
<settings>
  <mirrors><mirror><id>debian</id><mirrorOf>*</mirrorOf><url>file://$debian</url></mirror></mirrors>
  <profiles><profile><id>debian</id>
    <repositories><repository>$repository</repository></repositories>
    <pluginRepositories><pluginRepository>$repository</pluginRepository></pluginRepositories>
  </profile></profiles>
  <activeProfiles><activeProfile>debian</activeProfile></activeProfiles>
</settings>
SETTINGS
  mkdir "$work/petri-sandbox"
  cp -r clients "$work/petri-sandbox/clients"
  # It needs no Petri.
  (cd "$work" && env -u PETRI_COMMAND $documented $given)
  mvn --file "$work/petri-sandbox/clients/java" $given -DskipTests=false test
  { mvn --file "$work/petri-sandbox/$failing" ${given/--quiet/} -Dtest=FailingTest test 2>&1 || true; } | compared maven-FailingTest
fi
