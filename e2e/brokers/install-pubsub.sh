#!/bin/sh
# Builds the Pub/Sub server of the tests (e2e/brokers/pubsub) with Go, once for each version of its source, in
# ~/.cache/posthorn (or $POSTHORN_TOOLS). If it cannot be built, the script says so in one line, and the tests are
# skipped.
tests='Pub/Sub destinations'
. "${0%/*}/installing.sh"
source=${0%/*}/pubsub
target=$tools/pubsub-2.9.0
# A copy of the source is next to the program that was built from it. Build again only if the source has changed.
cat "$source/main.go" "$source/go.mod" | cmp -s - "$target/source" && exit 0

command -v go >/dev/null || skip 'Go is not installed'
wanted=$(sed -n 's/^go 1\.\([0-9]*\).*/\1/p' "$source/go.mod")
found=$(go env GOVERSION | sed -n 's/^go1\.\([0-9]*\).*/\1/p')
[ "${found:-0}" -ge "$wanted" ] || skip "it needs Go 1.$wanted, and 1.${found:-0} is installed"
mkdir -p "$target" && rm -f "$target/source"
(cd "$source" && CGO_ENABLED=0 go build -trimpath -ldflags '-s -w' -o "$target/pubsub" .) >"$log" 2>&1 ||
  give_up 'the server could not be built'
cat "$source/main.go" "$source/go.mod" >"$target/source"
