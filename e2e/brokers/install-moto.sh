#!/bin/sh
# Installs moto, a mock server of AWS, from PyPI, once, in ~/.cache/posthorn (or $POSTHORN_TOOLS). If it cannot be
# installed, the script says so in one line, and the tests that need it are skipped.
tests='AWS destinations'
. "${0%/*}/installing.sh"
target=$tools/moto-5.2.5
[ -x "$target/bin/moto_server" ] || install_with_pip "$target" 'moto[events,s3]==5.2.5' flask flask-cors
