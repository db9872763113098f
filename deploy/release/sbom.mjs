// The software bill of materials of the image, in CycloneDX 1.6: what pnpm-lock.yaml resolves for the services, and what
// is built into the pages. It needs no network and no installation, so anybody can make it again from a tag.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Enums, Models, Serialize, Spec } from '@cyclonedx/cyclonedx-library';
import { parse } from 'yaml';

const SERVICES = ['services/api', 'services/dispatcher'];
const PAGES = 'packages/web';
/** Packages that build the pages and are not part of them. */
const BUILD_TOOLS = /^(@types\/|@vitejs\/|vite$|typescript$|openapi-typescript$)/;

/** The document as JSON text, for a release that was made at `created`. */
export function writeSbom(root, { version, created }) {
  const lock = parse(readFileSync(join(root, 'pnpm-lock.yaml'), 'utf8'));
  const image = new Models.Component(Enums.ComponentType.Application, 'posthorn', {
    version,
    bomRef: 'posthorn',
    purl: `pkg:generic/posthorn@${version}`,
  });
  const bom = new Models.Bom({ metadata: new Models.Metadata({ component: image, timestamp: created }) });
  const known = new Map();
  const add = (key) => {
    if (known.has(key)) return known.get(key).bomRef;
    const component = toComponent(key, lock);
    known.set(key, component);
    bom.components.add(component);
    const { dependencies = {}, optionalDependencies = {} } = lock.snapshots[key] ?? {};
    for (const [name, resolved] of Object.entries({ ...dependencies, ...optionalDependencies }))
      component.dependencies.add(add(keyOf(name, resolved)));
    return component.bomRef;
  };
  for (const key of rootsOf(lock)) image.dependencies.add(add(key));
  const serializer = new Serialize.JsonSerializer(new Serialize.JSON.Normalize.Factory(Spec.Spec1dot6));
  return serializer.serialize(bom, { sortLists: true, space: 2 });
}

/** The dependencies of the services, of the pages, and of our own packages that they use. */
function rootsOf(lock) {
  const roots = new Set();
  const visited = new Set();
  const visit = (importer, kind) => {
    if (visited.has(`${importer} ${kind}`)) return;
    visited.add(`${importer} ${kind}`);
    for (const [name, { version }] of Object.entries(lock.importers[importer]?.[kind] ?? {})) {
      if (importer === PAGES && BUILD_TOOLS.test(name)) continue;
      if (version.startsWith('link:')) visit(join(importer, version.slice('link:'.length)), 'dependencies');
      else roots.add(keyOf(name, version));
    }
  };
  for (const service of SERVICES) visit(service, 'dependencies');
  for (const kind of ['dependencies', 'devDependencies']) visit(PAGES, kind);
  return roots;
}

/** The key of a snapshot in the lock file. An alias is resolved to `other@1.0.0`. */
function keyOf(name, resolved) {
  return /^(@[^/]+\/)?[^@(]+@\d/.test(resolved) ? resolved : `${name}@${resolved}`;
}

function toComponent(key, lock) {
  // The text behind the version names the peers that it was resolved with.
  const plain = key.replace(/\(.*$/, '');
  const at = plain.lastIndexOf('@');
  const [fullName, version] = [plain.slice(0, at), plain.slice(at + 1)];
  const [name = '', group] = fullName.split('/').reverse();
  const integrity = /^sha512-(.+)$/.exec(lock.packages[plain]?.resolution?.integrity ?? '')?.[1];
  const hashes = new Models.HashDictionary();
  if (integrity !== undefined) {
    hashes.set(Enums.HashAlgorithm['SHA-512'], Buffer.from(integrity, 'base64').toString('hex'));
  }
  return new Models.Component(Enums.ComponentType.Library, name, {
    ...(group === undefined ? {} : { group }),
    ...{ version, hashes, bomRef: key },
    purl: `pkg:npm/${fullName.replace('@', '%40')}@${version}`,
  });
}
