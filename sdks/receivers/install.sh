#!/bin/sh
# Installs the languages of the kits from Debian, as root. If a language cannot be installed, one line says so, and its
# tests are skipped.
set -u
log=$(mktemp) || exit 1
trap 'rm -f "$log"' EXIT

skip() {
  echo "skipped  tests of the kit for $1: $2"
}

# A bare machine has no package lists.
update() {
  [ -z "${updated:-}" ] || return 0
  updated=1
  apt-get -qq -o Acquire::http::Timeout=20 update >"$log" 2>&1 || true
}

install() { # language, program, packages…
  language=$1 program=$2
  shift 2
  command -v "$program" >"$log" && return
  command -v apt-get >"$log" || { skip "$language" "it comes from Debian, and there is no apt-get"; return; }
  [ "$(id -u)" = 0 ] || { skip "$language" 'only root can install it'; return; }
  update
  DEBIAN_FRONTEND=noninteractive apt-get -qq -o Acquire::http::Timeout=20 install -y --no-install-recommends "$@" >"$log" 2>&1 ||
    skip "$language" "Debian's packages cannot be installed"
}

install Ruby rackup ruby ruby-rack ruby-webrick
install PHP php php-cli
install 'C#' mcs mono-mcs mono-runtime libmono-system-core4.0-cil libmono-system-web-extensions4.0-cil
install Elixir elixir elixir erlang-inets
command -v cargo >"$log" || skip Rust 'cargo is not installed'
