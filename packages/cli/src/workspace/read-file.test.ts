import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import type { Terminal } from '../terminal.ts';
import { readWorkspaceFile } from './read-file.ts';

// The forms that a workspace file may have, and the errors for a file that cannot be read.

const folder = mkdtempSync(join(tmpdir(), 'posthorn-files-'));
afterAll(() => rmSync(folder, { recursive: true }));

async function read(text: string | Buffer): Promise<unknown> {
  const name = join(folder, 'w.yaml');
  writeFileSync(name, text);
  const terminal = { env: {} } as Partial<Terminal> as Terminal;
  return (await readWorkspaceFile(terminal, name)).document;
}

const types = (lines: string) => `version: 1\neventTypes:\n${lines}`;

test.each<[what: string, text: string | Buffer, told: string]>([
  ['a tab', types('\t- name: a.b\n'), ':3:1: Tabs are not allowed as indentation'],
  ['an alias of nothing', 'version: 1\neventTypes: *nope\n', ':2:13: no anchor &nope stands before *nope'],
  ['an alias of itself', types('  - &x { name: a.b, example: *x }\n'), ':3:30: *x stands for itself'],
  [
    'aliases of aliases',
    `a: &a [${'1,'.repeat(20)}]\nb: &b [${'*a,'.repeat(20)}]\nc: &c [${'*b,'.repeat(20)}]\nd: [${'*c,'.repeat(20)}]\n`,
    ':1:1: The aliases (*name) stand for too much',
  ],
  ['a key twice', types('  - name: a.b\n    name: a.c\n'), ':4:5: Map keys must be unique'],
  ['a key that is not text', types('  - 1: a\n'), ':3:5: a key must be a text: put it in quotes'],
  ['the key __proto__', 'version: 1\n__proto__: {}\n', ':2:1: a key must not be __proto__'],
  ['a number without end', types('  - example: 1e400\n'), ':3:14: 1e400 is not a number of JSON'],
  [
    'a number that is rounded',
    types('  - example: 9007199254740993\n'),
    ':3:14: 9007199254740993 is not a number that',
  ],
  ['deep nesting', types(`  - example: ${'['.repeat(9_000)}${']'.repeat(9_000)}\n`), ': The file is nested too deeply'],
  ['Latin-1', Buffer.from(types('  - description: caf\u00e9\n'), 'latin1'), ':3 is not in UTF-8'],
  ['UTF-16', Buffer.from('\ufeffversion: 1\n', 'utf16le'), ':1 is not in UTF-8'],
  ['two documents', 'version: 1\n---\nversion: 1\n', ':2:1: A file has one document'],
  ['an unknown tag', types('  - name: !!js/function "a"\n'), ':3:11: Unresolved tag'],
  ['a colon in a text', types('  - description: Orders: paid\n'), ':3:18: A text with a colon and a space in it'],
  ['no list', types('  - name: a.b\n   description: x\n'), ':4:1: '],
  ['nothing', '# only a comment\n', ':1:1: The file must be an object'],
])('%s is told with its place', async (_what, text, told) => {
  await expect(read(text)).rejects.toThrow(told);
});

test.each<[what: string, text: string | Buffer, document: unknown]>([
  ['a byte order mark', '\ufeffversion: 1\n', { version: 1 }],
  ['lines of Windows', 'version: 1\r\neventTypes:\r\n  - name: a.b\r\n', { version: 1, eventTypes: [{ name: 'a.b' }] }],
  [
    'merge keys',
    types('  - &a { name: a.b, description: "no" }\n  - { <<: *a, name: a.c }\n'),
    {
      version: 1,
      eventTypes: [
        { name: 'a.b', description: 'no' },
        { name: 'a.c', description: 'no' },
      ],
    },
  ],
  ['JSON', '{"version":1}', { version: 1 }],
  ['words that other readers take for values', 'a: no\nb: 2026-01-01\nc: 0o17\n', { a: 'no', b: '2026-01-01', c: 15 }],
  ['long numbers that are kept', 'a: 9007199254740992\nb: 1e23\n', { a: 9007199254740992, b: 1e23 }],
])('%s is read', async (_what, text, document) => {
  expect(await read(text)).toEqual(document);
});
