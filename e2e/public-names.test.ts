import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { projectRoot } from './pages/run-page.ts';

type PublicName = { registry: string; name: string; isPublished: boolean; folder?: string };
type Install = { intro?: string; lines: string[] };

const read = (file: string) => readFileSync(join(projectRoot, file), 'utf8');
const { names, today, published } = placeOfNames();

describe('nothing that we print or ship fetches a name that is not ours in its registry', () => {
  test('no file of the repository has such a command', () => {
    const ours = new Set(Object.values(names).flatMap(({ name, isPublished }) => (isPublished ? [name] : [])));
    const files = trackedFiles().filter((file) => !NOT_PRINTED.test(file));
    expect(files.length).toBeGreaterThan(500);
    const refused = files.flatMap((file) =>
      namesFetchedBy(read(file))
        .filter((name) => !ours.has(name))
        .map((name) => `${file}: ${name}`),
    );
    expect(refused).toEqual([]);
  });

  test.each([
    ['npx posthorn login', ['posthorn']],
    ['npx -y posthorn@1.2.3 mcp', ['posthorn']],
    ['npx --yes @posthorn/cli mcp', ['@posthorn/cli']],
    ["command: 'npx',\n    args: ['-y', 'posthorn', 'mcp']", ['posthorn']],
    ['{ "command": "npx", "args": ["-y", "posthorn", "mcp"] }', ['posthorn']],
    ['npm install @posthorn/react @posthorn/client', ['@posthorn/react', '@posthorn/client']],
    ['pnpm add --save-dev @posthorn/client@latest', ['@posthorn/client']],
    ['npm create posthorn', ['posthorn']],
    ['deno add npm:@posthorn/client', ['@posthorn/client']],
    ['import x from "https://esm.sh/@posthorn/client";', ['@posthorn/client']],
    ['pip install -U posthorn', ['posthorn']],
    ["pip3 install 'posthorn[ed25519]>=0.3'", ['posthorn']],
    ['uv add posthorn-client', ['posthorn-client']],
    ['go get github.com/posthorn/posthorn-go', ['github.com/posthorn/posthorn-go']],
    ['go install github.com/posthorn/posthorn-go@latest', ['github.com/posthorn/posthorn-go']],
    ['implementation "io.posthorn:posthorn:1.0.0"', ['io.posthorn:posthorn']],
    ['gem install posthorn && cargo add posthorn-rs', ['posthorn', 'posthorn-rs']],
    ['npm pack ~/posthorn/sdks/typescript\nnpm install ./posthorn-client-*.tgz', []],
    ['npm install --global ~/posthorn/packages/cli/bundle', []],
    ['pip install ~/posthorn/sdks/python', []],
    ['helm install posthorn deploy/helm/posthorn -n posthorn', []],
    ['npx -y pnpm@10.34.9 install', []],
  ])('%j fetches %j', (text, fetched) => {
    expect(namesFetchedBy(text)).toEqual(fetched);
  });
});

test('no document names a command that fetches an unpinned package', () => {
  const documents = trackedFiles().filter((file) => file === 'prisma/diff.mjs' || /^(docs\/.*|[A-Z]+)\.md$/.test(file));
  const unpinned = documents.flatMap((file) =>
    (read(file).match(/npx (?!--no\b|(-y )?\S+@\d)[^`\n]*|usage: pnpm.*/g) ?? []).map(
      (command) => `${file}: ${command}`,
    ),
  );
  expect(unpinned).toEqual([]);
});

test.each(Object.entries(names))('what is published as %s has the name that it has here', (key, { name, folder }) => {
  if (folder === undefined) throw new Error(`${key} has no folder`);
  const source = folder.replace(/\/bundle$/, '');
  const manifests: Record<string, () => string | undefined> = {
    PyPI: () => /^name = "(.*)"$/m.exec(read(`${source}/pyproject.toml`))?.[1],
    Go: () => /^module (.*)$/m.exec(read(`${source}/go.mod`))?.[1],
    Maven: () =>
      /<groupId>(.*)<\/groupId>\s*<artifactId>(.*)<\/artifactId>/
        .exec(read(`${source}/pom.xml`))
        ?.slice(1)
        .join(':'),
    npm: () => JSON.parse(read(`${source}/package.json`)).name,
  };
  expect(manifests[names[key]?.registry ?? '']?.()).toBe(name);
});

test('a published name is installed from its registry, and needs no checkout', () => {
  expect(Object.fromEntries(Object.entries(published).map(([key, { lines }]) => [key, lines]))).toEqual({
    client: ['npm install @posthorn/client'],
    react: ['npm install @posthorn/react @posthorn/client'],
    cli: ['npm install --global @posthorn/cli'],
    python: ['pip install posthorn-client'],
    go: ['go get github.com/posthorn/posthorn-go'],
    java: ['mvn dependency:get -Dartifact=io.posthorn:posthorn:LATEST'],
  });
});

test.each(Object.entries(today))('the README of %s has the install lines of the place of names', (key, { lines }) => {
  const folder = names[key]?.folder?.replace(/\/bundle$/, '') ?? '';
  expect(read(`${folder}/README.md`)).toContain(`\`\`\`sh\n${lines.join('\n')}\n\`\`\``);
});

/** Files that show no install commands to users: past releases, the lock, files only for tests, and pictures. */
const NOT_PRINTED =
  /^(CHANGELOG\.md$|pnpm-lock\.yaml$|sdks\/java\/pom\.xml$|e2e\/)|\.test\.tsx?$|\.(png|ico|woff2?|gz)$/;

/** Commands that download something from a registry: in a shell, in a program's configuration, or in an import. */
const COMMANDS = [
  /\b(?:npx|pnpx|bunx|uvx|pipx run)\b["',\s]+[^\n;&|`]*(?:\n\s*args[^\n]*)?/g,
  /\b(?:npm|pnpm|yarn|bun|deno) (?:install|i|add|exec|dlx|x|create|init)\b[^\n;&|`]*/g,
  /\b(?:pip3?|uv|poetry|pipx|conda|gem|cargo|composer|dotnet|brew|apt|apt-get) (?:install|add|require|pip install)\b[^\n;&|`]*/g,
  /\bgo (?:get|install|run)\b[^\n;&|`]*/g,
  /(?:\bnpm:|\bjsr:|\b(?:esm\.sh|unpkg\.com|cdn\.jsdelivr\.net\/npm)\/)\S+/g,
  /\b(?:implementation|api|compile)[ (]+["']\S+|<dependency>\s*<groupId>io\.posthorn<\/groupId>|\bmvn dependency:get -Dartifact=\S+/g,
];

/** A name like ours. A registry may stand before it, and a version or an extra after it. A path does not match. */
const NAME =
  /^(?:npm:|jsr:|(?:https:\/\/)?(?:esm\.sh|unpkg\.com|cdn\.jsdelivr\.net\/npm)\/)?(@posthorn\/[\w-]+|github\.com\/posthorn\/[\w-]+|io\.posthorn(?::[\w-]+)?|posthorn[\w-]*)(?![\w-])/;

/** The names like ours that the commands of a text download from a registry, each once. */
function namesFetchedBy(text: string): string[] {
  const commands = COMMANDS.flatMap((command) => text.match(command) ?? []);
  // A filter selects packages of this workspace, so its names do not count.
  const words = commands.flatMap((command) => command.replace(/--filter '[^']*'/g, '').split(/[\s"'<>()[\],;]+/));
  return [...new Set(words.flatMap((word) => NAME.exec(word)?.[1] ?? []))];
}

function trackedFiles(): string[] {
  const { stdout } = spawnSync('git', ['ls-files', '-z'], { cwd: projectRoot, encoding: 'utf8' });
  return stdout.split('\0').filter((file) => file !== '');
}

/**
 * The names of deploy/release/public-names.mjs, with the install commands of today and those when
 * everything is published.
 */
function placeOfNames(): Record<'today' | 'published', Record<string, Install>> & {
  names: Record<string, PublicName>;
} {
  const program = `const { installOf, PUBLIC_NAMES: names } = await import('./deploy/release/public-names.mjs');
    const all = Object.entries(names);
    const installed = (of) =>
      Object.fromEntries(all.filter(([, { folder }]) => folder).map(([key]) => [key, installOf(key, of)]));
    const allPublished = Object.fromEntries(all.map(([key, one]) => [key, { ...one, isPublished: true }]));
    console.log(JSON.stringify({ names, today: installed(names), published: installed(allPublished) }));`;
  const args = ['--input-type=module', '--eval', program];
  return JSON.parse(spawnSync(process.execPath, args, { cwd: projectRoot, encoding: 'utf8' }).stdout);
}
