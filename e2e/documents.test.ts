import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { expect, test } from '@jest/globals';
import { projectRoot } from './pages/run-page.ts';

const read = (file: string) => readFileSync(join(projectRoot, file), 'utf8');

test('what the documents take from the code is as `npm run docs:generate` writes it', () => {
  const run = spawnSync(process.execPath, ['docs/generate.mjs', '--check'], { cwd: projectRoot, encoding: 'utf8' });
  expect({ status: run.status, output: run.stdout + run.stderr }).toEqual({ status: 0, output: '' });
}, 60_000);

test('.env.example lists every setting of the reference', () => {
  const settings = [...read('docs/reference/settings.md').matchAll(/^\| `([A-Z_]+)`/gm)].map(([, name = '']) => name);
  expect(settings.length).toBeGreaterThan(30);
  const example = read('.env.example');
  expect(settings.filter((name) => !new RegExp(`\\b${name}(_FILE)?\\b`).test(example))).toEqual([]);
});

test('.env.example says what each setting does, also when one service refers to the other', () => {
  expect(read('.env.example')).not.toContain('The same as in');
});

test('every relative link in a document leads to a file, and every anchor to a heading of it', () => {
  const documents = markdownFiles('.');
  expect(documents.length).toBeGreaterThan(15);
  const broken = documents.flatMap((file) =>
    linksOf(read(file))
      .filter((link) => !resolves(file, link))
      .map((link) => `${file}: ${link}`),
  );
  expect(broken).toEqual([]);
});

test('every document is reached from README.md by links', () => {
  const reached = new Set<string>();
  const visit = (file: string): void => {
    if (reached.has(file) || !existsSync(join(projectRoot, file))) return;
    reached.add(file);
    const targets = linksOf(read(file)).map((link) => targetOf(file, link).file);
    for (const target of targets.filter((one) => one.endsWith('.md'))) visit(target);
  };
  visit('README.md');
  expect(markdownFiles('.').filter((file) => !reached.has(file))).toEqual([]);
});

// A reader runs the pages one after another in one workspace, where a name can be created once.
test('no two pages create the same event type, environment or application, or send the same idempotency key', () => {
  const commands = (file: string) =>
    [...read(file).matchAll(/^```bash\n(.*?)^```$/gms)].map(([, text]) => text).join('');
  const inFolder = (folder: string) => readdirSync(join(projectRoot, folder)).map((name) => `${folder}/${name}`);
  const texts = [
    ...['README.md', 'docs/producing.md', ...inFolder('docs/how-to')].map((file) => [file, commands(file)]),
    ...['devstack/src/closing-box.ts', ...inFolder('docs/producers')].map((file) => [file, read(file)]),
    ['Get started', read('packages/web/src/dashboard/pages/get-started/example.ts')],
  ];
  const created = /"(?:name|slug|externalId)": ?"([^"]+)"|EXAMPLE_TYPE = '([^']+)'|['" ]([a-z]+-\d+-[a-z]+)['"]/g;
  const pages = new Map<string, Set<string>>();
  for (const [page = '', text = ''] of texts) {
    for (const [, name, type, key] of text.matchAll(created)) {
      const value = name ?? type ?? key ?? '';
      pages.set(value, (pages.get(value) ?? new Set()).add(page));
    }
  }
  expect(pages.size).toBeGreaterThan(20);
  expect([...pages].filter(([, found]) => found.size > 1)).toEqual([]);
});

test('ARCHITECTURE.md names every folder of the packages and the services', () => {
  const rooms = ['packages', 'services/api/src', 'services/dispatcher/src'];
  const folders = rooms.flatMap((room) =>
    readdirSync(join(projectRoot, room), { withFileTypes: true }).filter((entry) => entry.isDirectory()),
  );
  const plan = read('ARCHITECTURE.md');
  expect(folders.map(({ name }) => name).filter((name) => !plan.includes(`\`${name}\``))).toEqual([]);
});

test.each<[string, RegExp]>([...placesOfVersion(), ['docs/openapi.json', /(Posthorn\/)\d[\d.]+\d()/]])(
  '%s names the version of package.json',
  (file, expression) => {
    const { version } = JSON.parse(read('package.json'));
    expect(read(file).replace(expression, `$1${version}$2`)).toBe(read(file));
    expect(read(file)).toMatch(expression);
  },
);

/** The places to which `npm run release` writes the version. */
function placesOfVersion(): [string, RegExp][] {
  const program = `const { placesOfVersion } = await import('./deploy/release/versions.mjs');
    const places = placesOfVersion('.').map(([file, { source, flags }]) => ({ file, source, flags }));
    console.log(JSON.stringify(places));`;
  const args = ['--input-type=module', '--eval', program];
  const places: { file: string; source: string; flags: string }[] = JSON.parse(
    spawnSync(process.execPath, args, { cwd: projectRoot, encoding: 'utf8' }).stdout,
  );
  return places.map(({ file, source, flags }) => [file, new RegExp(source, flags)]);
}

/** The paths of all documents below a folder, relative to the project. */
function markdownFiles(folder: string): string[] {
  return readdirSync(join(projectRoot, folder), { withFileTypes: true }).flatMap((entry) => {
    if (/^(node_modules|dist|bundle|results|target|\..*)$/.test(entry.name)) return [];
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return markdownFiles(path);
    return path.endsWith('.md') ? [path] : [];
  });
}

/** The relative links and images of a document; code is left out. */
function linksOf(text: string): string[] {
  const prose = text.replace(/^```.*?^```$/gms, '').replace(/`[^`\n]*`/g, '');
  const links = [...prose.matchAll(/\]\(([^()\s]+)\)|<(?:img|a)\b[^>]*?(?:src|href)="([^"]+)"/g)];
  return links.map(([, plain, html]) => plain ?? html ?? '').filter((link) => !/^(https?|mailto):/.test(link));
}

function targetOf(from: string, link: string): { file: string; anchor: string | undefined } {
  const [path = '', anchor] = link.split('#');
  const file = path === '' ? from : relative(projectRoot, resolve(projectRoot, dirname(from), path));
  return { file, anchor };
}

function resolves(from: string, link: string): boolean {
  const { file, anchor } = targetOf(from, link);
  if (!existsSync(join(projectRoot, file))) return false;
  return anchor === undefined || anchorsOf(read(file)).has(anchor);
}

/** The anchors of the headings, as GitHub makes them. */
function anchorsOf(text: string): Set<string> {
  const anchors = new Set<string>();
  for (const [, heading = ''] of text.replace(/^```.*?^```$/gms, '').matchAll(/^#{1,6} (.*)$/gm)) {
    const plain = heading
      .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
      .toLowerCase()
      .trim();
    const anchor = plain.replace(/[^\p{L}\p{N}\s_-]/gu, '').replace(/\s/g, '-');
    const before = [...anchors].filter((one) => one.replace(/-\d+$/, '') === anchor).length;
    anchors.add(before === 0 ? anchor : `${anchor}-${before}`);
  }
  return anchors;
}
