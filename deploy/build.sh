#!/bin/sh
# Builds the programs of the image from a fresh copy of the sources, and copies them into the given folder. It needs
# Node, npm and the npm registry; a pnpm store that `pnpm fetch` has filled saves the downloads. It changes the sources'
# copy.
#   sh deploy/build.sh /out
set -eu
out=${1:?usage: sh deploy/build.sh <folder>}
pnpm() { npx -y pnpm@10.34.9 "$@"; }

pnpm install --prefer-offline --frozen-lockfile
node prisma/generate.mjs
node devstack/bundle.mjs
node packages/web/node_modules/vite/bin/vite.js build packages/web
node docs/site/build.mjs

# Install again, with only the packages that the services need when they run. Then delete 200 MB: the Prisma command
# line and TypeScript, optional peers of the Prisma client for its generator, and query compilers for other databases.
rm -rf node_modules packages/*/node_modules services/*/node_modules docs/site/node_modules
pnpm install --prefer-offline --frozen-lockfile --prod --filter '@posthorn/api...' --filter '@posthorn/dispatcher...' --filter '@posthorn/all...'
(
  cd node_modules/.pnpm
  rm -rf prisma@* @prisma+studio-core@* @prisma+dev@* @prisma+engines@* @prisma+query-plan-executor@* \
    @electric-sql+* effect@* typescript@* react-dom@* elkjs@* remeda@*
  find . -path '*/@prisma/client/runtime/*' \
    \( -name '*.cockroachdb.*' -o -name '*.mysql.*' -o -name '*.sqlite.*' -o -name '*.sqlserver.*' \) -delete
)

mkdir -p "$out"
cp -a --parents packages/web/dist docs/site/dist package.json node_modules prisma/migrations deploy/entrypoint.sh \
  deploy/healthcheck.mjs docs/llms.txt docs/*.md docs/how-to docs/interface docs/operating docs/reference "$out"
find packages services -mindepth 2 -maxdepth 2 \( -name package.json -o -name bundle -o -name node_modules \) \
  -exec cp -a --parents {} "$out" \;
