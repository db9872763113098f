import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { EventShape } from './model.ts';
import { readShapes, writeTypes } from './write-types.ts';

const ORDER = {
  type: 'object',
  required: ['id', 'total', 'lines', 'customer'],
  properties: {
    id: { type: 'string', description: 'The order */ \n and "its" name' },
    total: { $ref: '#/$defs/money' },
    lines: { type: 'array', items: { type: 'object', required: ['sku'], properties: { sku: { type: 'string' } } } },
    customer: { type: ['object', 'null'], properties: { 'e-mail': { type: 'string' } } },
    status: { enum: ['open', 'paid'] },
    paidAt: { anyOf: [{ type: 'string' }, { type: 'null' }] },
    labels: { type: 'object', additionalProperties: { type: 'string' } },
    count: { type: 'integer' },
    class: { type: 'boolean' },
    '2nd': { const: true },
    'weird`"key\u2028': { type: 'number' },
    parent: { $ref: '#' },
    mixed: { oneOf: [{ type: 'string' }, { type: 'number' }] },
  },
  $defs: { money: { type: 'object', properties: { amount: { type: 'number' }, currency: { const: 'EUR' } } } },
};
/** The names of types and of parts of others would be the same. */
const SHAPES: EventShape[] = [
  { name: 'order.placed', schema: ORDER },
  { name: 'order_placed', schema: { allOf: [ORDER, { properties: { extra: { type: 'string' } } }] } },
  { name: 'order.placed.event', schema: { type: 'array', items: { type: 'string' } } },
  { name: 'order.placed.total', schema: { type: 'object', properties: { a: { type: 'null' } } } },
  { name: '2fa', schema: null },
  // Names that a file has already.
  ...['payloads', 'array', 'record', 'any', 'list', 'literal', 'union', 'none', 'true'].map((name) => ({
    name,
    schema: ORDER,
  })),
];

const tsc = join(fileURLToPath(new URL('../../../../', import.meta.url)), 'node_modules', '.bin', 'tsc');

let place: string;
beforeAll(() => {
  place = mkdtempSync(join(tmpdir(), 'posthorn-types-'));
});
afterAll(() => rmSync(place, { recursive: true }));

function write(name: string, content: string): string {
  const file = join(place, name);
  writeFileSync(file, content);
  return file;
}

function run(command: string, ...args: string[]): string {
  const { status, stdout, stderr, error } = spawnSync(command, args, { cwd: place, encoding: 'utf8' });
  return status === 0 ? '' : `${stdout}${stderr}${error?.message ?? ''}`;
}

test('TypeScript: the file compiles, and the types take what the schemas allow and nothing else', () => {
  write('events.ts', writeTypes('ts', SHAPES));
  write(
    'use.ts',
    `import type { OrderPlaced, Payloads } from './events.ts';
const total = { amount: 1, currency: 'EUR' } as const;
export const good: OrderPlaced = { id: 'a', total, lines: [{ sku: 'b' }], customer: null, status: 'open', mixed: 1 };
export const same: Payloads['order.placed'] = good;
// @ts-expect-error: a required field is missing
export const missing: OrderPlaced = { id: 'a', total, lines: [] };
// @ts-expect-error: a value that the schema does not have
export const other: OrderPlaced = { ...good, status: 'lost' };
`,
  );
  const flags = [
    '--noEmit',
    '--strict',
    '--allowImportingTsExtensions',
    '--types',
    '',
    '--module',
    'esnext',
    '--target',
    'es2022',
  ];
  expect(run(tsc, ...flags, 'use.ts')).toBe('');
});

test('Python: the file compiles, and its classes can be made', () => {
  const file = write('events.py', writeTypes('python', SHAPES));
  expect(run('python3', '-m', 'py_compile', file)).toBe('');
  expect(run('python3', '-c', 'import events; assert "id" in events.OrderPlaced.__required_keys__')).toBe('');
});

test('Python: a fraction is a float, because a Literal takes none', () => {
  const schema = { enum: [0.5, 1, 'a'] };
  expect(writeTypes('python', [{ name: 'rate', schema }])).toContain('\nRate = Union[Literal[1, "a"], float]\n');
});

test('Go: go vet finds nothing', () => {
  write('go.mod', 'module events\n\ngo 1.21\n');
  write('events.go', writeTypes('go', SHAPES));
  expect(run('go', 'vet', './...')).toBe('');
});

test.each(['ts', 'python', 'go'] as const)('a file in %s has the schemas from which it was written', (language) => {
  const read = readShapes(writeTypes(language, SHAPES));
  expect(read).toHaveLength(SHAPES.length);
  expect(read).toEqual(expect.arrayContaining(SHAPES));
});

test('another file has none', () => {
  expect(readShapes('export type A = string;')).toBeUndefined();
});
