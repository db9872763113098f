// Prepares everything that `npm start` and `npm test` need: packages, the Prisma client, the build, the dashboard. It
// runs before packages are installed, so it may import only Node's own modules. Prints nothing if everything is up to
// date.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, linkSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { IN_OWN_GROUP, signalGroup } from './process-group.mjs';
import { isSameProcess, startOfProcess } from './process-start.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const stampFile = join(root, 'node_modules/.posthorn-prepared.json');
const lockFile = join(root, '.posthorn/prepare.lock');
const pnpm = 'pnpm@10.34.9';
const running = new Set();
const me = `${process.pid} ${startOfProcess(process.pid) ?? ''}`;

/**
 * Installs, generates and builds everything that is not up to date. `projects` are the TypeScript projects to build;
 * `web` also builds the dashboard, the portal and the documentation, at the same time; `docs` the documentation alone;
 * `webTypes` generates the types of the pages' client. The services are bundled when they are among the projects.
 * Ends the process with a message when a step fails; with `keepGoing` a build that failed returns `false` instead.
 */
export async function prepare({ projects, keepGoing = false, web = false, docs = web, webTypes = false }) {
  requireNode(20, 19);
  const forget = endStepsOnSignal();
  await lock();
  try {
    const stamp = readStamp();
    await install(stamp);
    await generate(stamp);
    if (webTypes) await generateWebTypes(stamp);
    const built = await Promise.all([
      projects.length > 0 ? build(projects, keepGoing) : true,
      projects.includes('services/api') ? bundleServices(stamp, keepGoing) : true,
      web ? buildWeb(stamp, keepGoing) : true,
      docs ? buildDocs(stamp, keepGoing) : true,
    ]);
    return built.every(Boolean);
  } finally {
    unlock();
    forget();
  }
}

async function install(stamp) {
  const wanted = hashFiles(['pnpm-lock.yaml', 'pnpm-workspace.yaml', ...manifests()]);
  if (stamp.installed === wanted && existsSync(join(root, 'node_modules/.modules.yaml'))) return;
  // Without this option, pnpm without a terminal refuses to replace a node_modules that another tool made.
  const [npx, ...first] = npxCommand();
  const args = [...first, '-y', pnpm, 'install', '--frozen-lockfile', '--config.confirm-modules-purge=false'];
  await step('installing packages', npx, args, {
    next: `Check the network (behind a proxy with its own certificate: NODE_EXTRA_CA_CERTS=/path/ca.pem), then: npx -y ${pnpm} install`,
  });
  stamp.installed = wanted;
  writeStamp(stamp);
}

async function generate(stamp) {
  const sources = [
    'prisma/schema.prisma',
    'prisma/generate.mjs',
    'prisma/lean-graph.mjs',
    'prisma/share-compiler.mjs',
    'packages/db/package.json',
  ];
  const wanted = hashFiles(sources) + stamp.installed;
  if (stamp.generated === wanted && existsSync(join(root, 'packages/db/src/generated/client.ts'))) return;
  await step('generating the database client', process.execPath, ['prisma/generate.mjs'], {
    next: 'Try: node prisma/generate.mjs',
  });
  stamp.generated = wanted;
  writeStamp(stamp);
}

async function generateWebTypes(stamp) {
  const wanted = hashFiles(['docs/openapi.json', 'packages/web/generate.mjs']) + stamp.installed;
  if (stamp.webTypes === wanted && existsSync(join(root, 'packages/web/src/generated/api.ts'))) return;
  await step("generating the dashboard's types", process.execPath, ['packages/web/generate.mjs'], {
    next: 'Try: node packages/web/generate.mjs',
  });
  stamp.webTypes = wanted;
  writeStamp(stamp);
}

/** Builds the pages. The result does not depend on the generated types. */
async function buildWeb(stamp, keepGoing) {
  const wanted = hashFiles(webSources()) + stamp.installed;
  if (stamp.web === wanted && existsSync(join(root, 'packages/web/dist/index.html'))) return true;
  const vite = join(root, 'packages/web/node_modules/vite/bin/vite.js');
  const built = await step('building the dashboard', process.execPath, [vite, 'build', 'packages/web'], {
    next: 'Try: node packages/web/node_modules/vite/bin/vite.js build packages/web',
    keepGoing,
  });
  if (!built) return false;
  stamp.web = wanted;
  writeStamp(stamp);
  return true;
}

async function buildDocs(stamp, keepGoing) {
  const wanted = hashFiles(docsSources()) + stamp.installed;
  if (stamp.docs === wanted && existsSync(join(root, 'docs/site/dist/index.html'))) return true;
  const built = await step('building the documentation', process.execPath, ['docs/site/build.mjs'], {
    next: 'Try: node docs/site/build.mjs',
    keepGoing,
  });
  if (!built) return false;
  stamp.docs = wanted;
  writeStamp(stamp);
  return true;
}

/** The sources of the documentation. Any Markdown file may be a page. */
function docsSources() {
  const documents = readdirSync(root).filter((name) => name.endsWith('.md'));
  return [...documents, ...['docs', 'sdks', 'packages/cli'].flatMap(filesBelow)]
    .filter((path) => path.endsWith('.md') || path.startsWith('docs/site/'))
    .sort();
}

// The pages show the programs of docs/receivers and docs/transformations, and how the command line is installed.
function webSources() {
  const shown = [...filesBelow('docs/receivers'), ...filesBelow('docs/transformations')];
  return [...filesBelow('packages/web'), ...shown, 'deploy/release/public-names.mjs'].sort();
}

/** Bundles the services from their sources, while the compiler runs. */
async function bundleServices(stamp, keepGoing) {
  const wanted = hashFiles(serviceSources()) + stamp.installed + stamp.generated;
  const rooms = ['services/api', 'services/dispatcher', 'services/all', 'packages/cli'];
  const programs = rooms.map((room) => join(root, room, 'bundle/main.js'));
  if (stamp.bundled === wanted && programs.every((program) => existsSync(program))) return true;
  const bundled = await step('bundling the services', process.execPath, ['devstack/bundle.mjs'], {
    next: 'Try: node devstack/bundle.mjs',
    keepGoing,
  });
  if (!bundled) return false;
  stamp.bundled = wanted;
  writeStamp(stamp);
  return true;
}

function serviceSources() {
  const rooms = ['packages', 'services'].flatMap((parent) =>
    readdirSync(join(root, parent)).map((name) => `${parent}/${name}/src`),
  );
  const sources = rooms.filter((room) => room !== 'packages/web/src' && existsSync(join(root, room)));
  // The command line contains the TypeScript library.
  sources.push('sdks/typescript/src', 'packages/ledger/sql');
  return ['devstack/bundle.mjs', ...sources.flatMap(filesBelow).filter((path) => !path.endsWith('.test.ts'))].sort();
}

function filesBelow(folder) {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    if (['node_modules', 'dist', 'generated'].includes(entry.name)) return [];
    const path = `${folder}/${entry.name}`;
    return entry.isDirectory() ? filesBelow(path) : [path];
  });
}

async function build(projects, keepGoing) {
  const compiler = join(root, 'node_modules/typescript/bin/tsc');
  return await step('building', process.execPath, [compiler, '-b', ...projects], {
    next: 'Try: npm run build',
    keepGoing,
  });
}

/** Runs one tool, silent for its first second; its output is shown only when it fails. */
async function step(label, command, args, { next, keepGoing = false }) {
  const child = spawn(command, args, {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    ...IN_OWN_GROUP,
  });
  running.add(child);
  let words = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (words += chunk));
  const begun = performance.now();
  const announce = setTimeout(() => say(`${label} …`), 1_000);
  const report = setInterval(
    () => say([`${label}: ${seconds(begun)} s`, lastLine(words)].filter(Boolean).join(', ')),
    10_000,
  );
  const code = await new Promise((resolve) => {
    child.on('error', (error) => {
      words += `${error.message}\n`;
      resolve(1);
    });
    child.on('close', (status) => resolve(status ?? 1));
  });
  clearTimeout(announce);
  clearInterval(report);
  running.delete(child);
  if (code === 0) return true;
  process.stderr.write(
    `\n${words.trim()}\n\nposthorn  failed while ${label} (exit code ${code}).\n          ${next}\n`,
  );
  if (keepGoing) return false;
  endSteps('SIGTERM');
  unlock();
  process.exit(1);
}

/** Ends the running steps. Each step has its own process group. */
function endSteps(signal) {
  for (const child of running) signalGroup(child.pid, signal);
}

/**
 * Lets only one start of a checkout prepare at a time. The file names one process, and the lock of a dead process
 * is taken over.
 */
async function lock() {
  const mine = `${lockFile}.${process.pid}`;
  try {
    mkdirSync(dirname(lockFile), { recursive: true });
    writeFileSync(mine, me);
  } catch (error) {
    process.stderr.write(
      `posthorn  cannot write to its checkout: ${error.message}\n          Use a checkout that this user may write to.\n`,
    );
    process.exit(1);
  }
  for (let waited = 0; ; waited += 1) {
    try {
      linkSync(mine, lockFile); // The link appears together with its content.
      return rmSync(mine);
    } catch (error) {
      if (error.code !== 'EEXIST') throw error;
    }
    const [pid, start] = readIfThere(lockFile).split(' ');
    if (!isSameProcess(Number(pid), start)) rmSync(lockFile, { force: true });
    else if (waited === 5) say('waiting for another start in this checkout to finish its build …');
    await sleep(200);
  }
}

/** Removes this process's own lock files. While it waits, the lock itself belongs to another start. */
function unlock() {
  rmSync(`${lockFile}.${process.pid}`, { force: true });
  if (readIfThere(lockFile) === me) rmSync(lockFile, { force: true });
}

/** Makes a signal to this process end its steps, too. Returns a function that stops listening. */
function endStepsOnSignal() {
  const end = (signal) => {
    endSteps(signal);
    unlock();
    process.exit(signal === 'SIGINT' ? 130 : 143);
  };
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];
  for (const signal of signals) process.on(signal, end);
  return () => {
    for (const signal of signals) process.off(signal, end);
  };
}

function requireNode(major, minor) {
  const [haveMajor, haveMinor] = process.versions.node.split('.').map(Number);
  if (haveMajor > major || (haveMajor === major && haveMinor >= minor)) return;
  process.stderr.write(
    `posthorn  needs Node.js ${major}.${minor} or later; this is ${process.versions.node}.\n          Install a newer one: https://nodejs.org/en/download\n`,
  );
  process.exit(1);
}

function manifests() {
  const folders = ['', 'devstack', 'bench', 'docs/site'];
  for (const parent of ['packages', 'services']) {
    for (const name of readdirSync(join(root, parent)).sort()) folders.push(join(parent, name));
  }
  return folders.map((folder) => join(folder, 'package.json'));
}

function hashFiles(files) {
  const hash = createHash('sha256').update(`${process.platform} ${process.arch} ${pnpm}`);
  for (const file of files) hash.update(`${file}\0${readIfThere(join(root, file))}\0`);
  return hash.digest('hex');
}

function readStamp() {
  try {
    return JSON.parse(readFileSync(stampFile, 'utf8'));
  } catch {
    return {}; // Missing or damaged: do everything again.
  }
}

function writeStamp(stamp) {
  writeFileSync(`${stampFile}.new`, JSON.stringify(stamp));
  renameSync(`${stampFile}.new`, stampFile);
}

function readIfThere(file) {
  return existsSync(file) ? readFileSync(file, 'utf8') : '';
}

// The npx beside the running Node, so that a version manager's shims cannot select another one.
function npxCommand() {
  const folder = dirname(process.execPath);
  // Windows starts no script without a shell.
  if (process.platform === 'win32') return [process.execPath, join(folder, 'node_modules/npm/bin/npx-cli.js')];
  const beside = join(folder, 'npx');
  return [existsSync(beside) ? beside : 'npx'];
}

function lastLine(words) {
  return words.trim().split('\n').at(-1)?.slice(0, 100) ?? '';
}

function seconds(begun) {
  return Math.round((performance.now() - begun) / 1000);
}

function say(line) {
  process.stderr.write(`posthorn  ${line}\n`);
}
