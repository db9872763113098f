// `npm run release -- <version>`: makes a release of this checkout. It writes the version everywhere, dates the CHANGELOG,
// builds what is published into .release/, and makes a commit and a signed tag. Nothing is pushed: you push the tag, and
// .github/workflows/release.yml builds it again there, signs it and publishes it.
//   --dry-run  changes nothing in the checkout: it tells what would change, and builds the artefacts of today's version
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { releasedNotes, unreleasedNotes, withRelease } from './changelog.mjs';
import { unpinned } from './pins.mjs';
import { PUBLIC_NAMES } from './public-names.mjs';
import { writeSbom } from './sbom.mjs';
import { placesOfVersion } from './versions.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const NEEDS_NOTES = 'a release needs notes';
/** The folders of the npm packages, by the start of the file name that npm gives to each. */
const PACKAGES = Object.fromEntries(
  Object.values(PUBLIC_NAMES)
    .filter(({ registry }) => registry === 'npm')
    .map(({ name, folder }) => [name.replace('@', '').replace('/', '-'), folder]),
);
const SEMVER = /^\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?$/;
const read = (file) => readFileSync(join(root, file), 'utf8');
const write = (file, text) => writeFileSync(join(root, file), text);
/** Runs a command and returns its output; nothing if the output is inherited. */
const run = (command, args, options = {}) => {
  const stdio = ['ignore', 'pipe', 'inherit'];
  return (execFileSync(command, args, { cwd: root, encoding: 'utf8', stdio, ...options }) ?? '').trim();
};
const say = (line) => process.stdout.write(`${line}\n`);

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    'dry-run': { type: 'boolean', default: false },
    output: { type: 'string', default: join(root, '.release') },
  },
});
const isDryRun = values['dry-run'];
const current = JSON.parse(read('package.json')).version;
const [version = isDryRun ? current : ''] = positionals;

try {
  release();
} catch (error) {
  process.stderr.write(`release: ${error.message}\n`);
  process.exitCode = 1;
}

function release() {
  const changelog = read('CHANGELOG.md');
  const unreleased = unreleasedNotes(changelog);
  const notes = unreleased === '' && isDryRun ? releasedNotes(changelog, version) : unreleased;
  check(notes);
  const places = writeVersion();
  say(`${places.length} places name the version: ${current} → ${version}`);
  if (!isDryRun) {
    const heading = {
      version,
      date: new Date().toISOString().slice(0, 10),
      commit: run('git', ['rev-parse', '--short', 'HEAD']),
    };
    write('CHANGELOG.md', withRelease(changelog, heading));
    // The OpenAPI document and the libraries name the version, too.
    run('npm', ['run', '--silent', 'openapi:generate'], { stdio: 'inherit' });
    run('npm', ['run', '--silent', 'docs:generate'], { stdio: 'inherit' });
    // The packages hold compiled files, which name the version.
    run('npm', ['run', '--silent', 'build'], { stdio: 'inherit' });
  }
  for (const file of buildArtefacts(values.output, notes)) say(`built ${file}`);
  if (isDryRun) return say('Dry run: nothing was changed in the checkout.');
  run('git', ['commit', '--all', '--quiet', '--message', `release: ${version}`]);
  run('git', ['tag', '--sign', `v${version}`, '--message', `Posthorn ${version}`]);
  say(`Committed and tagged. To publish: git push --follow-tags origin HEAD`);
}

/** Finds everything that can be wrong before anything is written. */
function check(notes) {
  if (!SEMVER.test(version)) throw new Error('name the version: npm run release -- 1.2.3 [--dry-run]');
  const loose = unpinned(root);
  const pinFirst = `${loose.length} actions and images are not pinned: run node deploy/release/pins.mjs --write`;
  if (isDryRun) {
    if (notes === '') say(`Nothing is unreleased: ${NEEDS_NOTES}`);
    if (loose.length > 0) say(pinFirst);
    return;
  }
  if (notes === '') throw new Error(`CHANGELOG.md has nothing below "## Unreleased": ${NEEDS_NOTES}`);
  if (version === current) throw new Error(`package.json has the version ${current} already`);
  if (loose.length > 0) throw new Error(pinFirst);
  if (run('git', ['status', '--porcelain']) !== '') throw new Error('the checkout has changes: commit them first');
  if (run('git', ['tag', '--list', `v${version}`]) !== '') throw new Error(`the tag v${version} exists already`);
}

/** Writes the version to every place, and returns the places. A place without a version is a mistake in the list. */
function writeVersion() {
  const places = placesOfVersion(root);
  const texts = new Map();
  for (const [file, expression] of places) {
    const before = texts.get(file) ?? read(file);
    if (before.search(expression) === -1) throw new Error(`${file} names no version (deploy/release/versions.mjs)`);
    texts.set(file, before.replace(expression, `$1${version}$2`));
  }
  if (!isDryRun) for (const [file, text] of texts) write(file, text);
  return places;
}

/** Builds the files that need no network, and returns their names. The workflow makes the image and the signatures. */
function buildArtefacts(folder, notes) {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const [name, room] of Object.entries(PACKAGES)) if (existsSync(join(root, room))) pack(name, room, folder);
  if (isThere('helm')) run('helm', ['package', 'deploy/helm/posthorn', '--destination', folder]);
  else say('skipped the chart: helm is not on the PATH');
  writeFileSync(join(folder, 'posthorn.cdx.json'), writeSbom(root, { version, created: new Date() }));
  const files = readdirSync(folder).sort();
  const sums = files.map(
    (name) =>
      `${createHash('sha256')
        .update(readFileSync(join(folder, name)))
        .digest('hex')}  ${name}`,
  );
  writeFileSync(join(folder, 'SHA256SUMS'), `${sums.join('\n')}\n`);
  // The notes are the text of the release, not one of its files.
  writeFileSync(join(folder, 'release-notes.md'), `${notes}\n`);
  return [...files, 'SHA256SUMS', 'release-notes.md'];
}

/**
 * Packs a copy of a package, because the manifest must name nothing of this workspace. npm accepts a package with
 * provenance only when its manifest names the repository that the workflow runs in.
 */
function pack(name, room, folder) {
  const copy = mkdtempSync(join(tmpdir(), 'posthorn-pack-'));
  try {
    // The copy has no tools, so the package is built before it is copied.
    const { scripts: prepared, devDependencies: _tools, ...manifest } = JSON.parse(read(join(room, 'package.json')));
    if (prepared?.prepack !== undefined) run('npm', ['run', '--silent', 'prepack'], { cwd: join(root, room) });
    const isPacked = (path) => basename(path) !== 'node_modules' && !path.endsWith('.test.ts');
    cpSync(join(root, room), copy, { recursive: true, filter: isPacked });
    const { GITHUB_SERVER_URL: server, GITHUB_REPOSITORY: repository } = process.env;
    const source = repository && { repository: { type: 'git', url: `git+${server}/${repository}.git` } };
    writeFileSync(join(copy, 'package.json'), `${JSON.stringify({ ...manifest, ...source }, null, 2)}\n`);
    const packed = run('npm', ['pack', '--silent', '--pack-destination', folder], { cwd: copy });
    renameSync(join(folder, packed), join(folder, `${name}-${manifest.version}.tgz`));
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}

function isThere(command) {
  return (process.env.PATH ?? '').split(':').some((folder) => existsSync(join(folder, command)));
}
