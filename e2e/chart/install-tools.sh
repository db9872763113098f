#!/bin/sh
# Installs the tools of the tests of the Helm chart once, outside the tree: Helm from the Go module proxy (about seven
# minutes of CPU), and the schemas of Kubernetes, KEDA and the Prometheus operator from npm. Without Go, or if a
# download fails, the script says so in one line, and the tests that need the tools are skipped.
set -u
tools=${POSTHORN_TOOLS:-${XDG_CACHE_HOME:-$HOME/.cache}/posthorn}
helm=$tools/helm-4.3.1
schemas=$tools/kubernetes-models-5.1.0
log=$(mktemp) || exit 1
trap 'rm -f "$log"' EXIT

skip() {
  echo "skipped  tests of the Helm chart: $1"
  tail -n 3 "$log"
  exit 0
}

if [ ! -x "$helm/helm" ]; then
  command -v go >/dev/null || skip 'Go is not installed, and Helm is built with it'
  CGO_ENABLED=0 GOBIN=$helm go install -trimpath -ldflags '-s -w' helm.sh/helm/v4/cmd/helm@v4.3.1 >"$log" 2>&1 ||
    skip 'Helm could not be built'
fi

if [ ! -d "$schemas" ]; then
  # Install next to the final folder and rename it then, so that an interrupted installation never looks complete.
  rm -rf "$schemas.new" && mkdir -p "$schemas.new" && echo '{"private":true}' >"$schemas.new/package.json"
  npm install --prefix "$schemas.new" --no-audit --no-fund --save-exact \
    kubernetes-models@5.1.0 @kubernetes-models/keda@2.0.0 @kubernetes-models/prometheus-operator@6.0.0 \
    @kubernetes-models/apimachinery@3.0.2 @kubernetes-models/base@6.0.1 @kubernetes-models/validate@5.0.2 >"$log" 2>&1 ||
    skip 'the schemas of Kubernetes could not be installed'
  mv "$schemas.new" "$schemas"
fi
