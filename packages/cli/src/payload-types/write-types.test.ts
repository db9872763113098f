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
/** Events whose type names would collide with each other, or with the names of nested types. */
const SHAPES: EventShape[] = [
  { name: 'order.placed', schema: ORDER },
  { name: 'order_placed', schema: { allOf: [ORDER, { properties: { extra: { type: 'string' } } }] } },
  { name: 'order.placed.event', schema: { type: 'array', items: { type: 'string' } } },
  { name: 'order.placed.total', schema: { type: 'object', properties: { a: { type: 'null' } } } },
  { name: '2fa', schema: null },
  // Names that the generated file uses itself.
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

const ORDER_PAYLOAD = {
  id: 'a',
  total: { amount: 1.5, currency: 'EUR' },
  lines: [{ sku: 'b' }],
  customer: { 'e-mail': 'c' },
  status: 'open',
  labels: { a: 'b' },
  count: 7,
  class: false,
  '2nd': true,
  mixed: 'd',
};
/** A payload for each event. Events that are not listed use ORDER_PAYLOAD. */
const PAYLOADS: Record<string, unknown> = {
  order_placed: { ...ORDER_PAYLOAD, extra: 'e' },
  'order.placed.event': ['a'],
  'order.placed.total': { a: null },
  '2fa': { any: [1, null, 'text'] },
};
const payloadOf = ({ name }: EventShape) => PAYLOADS[name] ?? ORDER_PAYLOAD;

test('Python: the file compiles, and each type names the keys of a payload', () => {
  const file = write('events.py', writeTypes('python', SHAPES));
  expect(run('python3', '-m', 'py_compile', file)).toBe('');
  const keys = Object.keys(ORDER_PAYLOAD).map((key) => JSON.stringify(key));
  expect(
    run(
      'python3',
      '-c',
      `import events, typing
assert "id" in events.OrderPlaced.__required_keys__ and "count" in events.OrderPlaced.__optional_keys__
assert {${keys.join(', ')}} <= set(typing.get_type_hints(events.OrderPlaced))`,
    ),
  ).toBe('');
});

test('Python: the file needs nothing of typing that Python 3.9 does not have', () => {
  const imported = /from typing import (.*)/.exec(writeTypes('python', SHAPES))?.[1]?.split(', ');
  // These have no "New in version 3.10" or later on docs.python.org.
  expect(imported).toEqual(['Any', 'Dict', 'List', 'Literal', 'Tuple', 'TypedDict', 'Union']);
});

test('TypeScript: each type takes its payload', () => {
  write('events.ts', writeTypes('ts', SHAPES));
  const payloads = SHAPES.map((shape) => `  ${JSON.stringify(shape.name)}: ${JSON.stringify(payloadOf(shape))},`);
  write(
    'payloads.ts',
    `import type { Payloads } from './events.ts';\nexport const payloads: Payloads = {\n${payloads.join('\n')}\n};\n`,
  );
  const flags = ['--noEmit', '--strict', '--allowImportingTsExtensions', '--types', '', '--module', 'esnext'];
  expect(run(tsc, ...flags, '--target', 'es2022', 'payloads.ts')).toBe('');
});

test('Python: a fraction is a float, because a Literal takes none', () => {
  const schema = { enum: [0.5, 1, 'a'] };
  expect(writeTypes('python', [{ name: 'rate', schema }])).toContain('\nRate = Union[Literal[1, "a"], float]\n');
});

test('Go: words that Go writes in capitals are written so, as in the library', () => {
  const keys = ['id', 'imageUrl', 'ip_address', 'identity', 'ABUrls', 'customerID'];
  const properties = Object.fromEntries(keys.map((key) => [key, { type: 'string' }]));
  const source = writeTypes('go', [{ name: 'image', schema: { type: 'object', properties } }]);
  const names = keys.map((key) => new RegExp(`(\\w+) +\\*string +.json:"${key},`).exec(source)?.[1]);
  expect(names).toEqual(['ID', 'ImageURL', 'IPAddress', 'Identity', 'ABUrls', 'CustomerID']);
});

test('Go: go vet finds nothing, gofmt changes nothing, and each type takes a payload and gives it back', () => {
  write('go.mod', 'module events\n\ngo 1.21\n');
  const source = writeTypes('go', SHAPES);
  const file = write('events.go', source);
  const comments = source.matchAll(/names the event with the payload (\w+)\.\nconst \w+ = "(.*)"$/gm);
  const names = [...comments].map(([, type, name]) => ({ type, name }));
  expect(names.map(({ name }) => name).sort()).toEqual(SHAPES.map(({ name }) => name).sort());
  const cases = SHAPES.map((shape) => {
    const type = names.find(({ name }) => name === shape.name)?.type;
    return `\ttakes[${type}](t, ${JSON.stringify(JSON.stringify(payloadOf(shape)))})`;
  });
  write(
    'events_test.go',
    `package events

import (
	"encoding/json"
	"reflect"
	"testing"
)

func takes[T any](t *testing.T, payload string) {
	var value T
	var before, after any
	if err := json.Unmarshal([]byte(payload), &value); err != nil {
		t.Fatalf("%s: %v", payload, err)
	}
	text, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	_ = json.Unmarshal([]byte(payload), &before)
	_ = json.Unmarshal(text, &after)
	if !reflect.DeepEqual(before, after) {
		t.Errorf("%T: %s became %s", value, payload, text)
	}
}

func TestPayloads(t *testing.T) {
${cases.join('\n')}
}
`,
  );
  expect(run('go', 'vet', './...')).toBe('');
  expect(run('bash', '-c', `diff ${file} <(gofmt ${file})`)).toBe('');
  expect(run('go', 'test', './...')).toBe('');
  expect(source).toMatch(/^\/\/ Code generated .* DO NOT EDIT\.$/m);
});

// Needs Jackson, which Maven fetches, so it runs only with CLIENTS=…, as in CI.
const java = process.env.CLIENTS !== undefined && spawnSync('mvn', ['-version'], { stdio: 'ignore' }).status === 0;

(java ? test : test.skip)(
  'Java: the file compiles, and each record takes a payload and gives it back',
  () => {
    const library = fileURLToPath(new URL('../../../../sdks/java', import.meta.url));
    const classpath = join(place, 'classpath');
    expect(run('mvn', '-B', '-q', '-f', library, 'dependency:build-classpath', `-Dmdep.outputFile=${classpath}`)).toBe(
      '',
    );
    const source = writeTypes('java', SHAPES);
    write('Events.java', source);
    const names = [...source.matchAll(/The payload of \{@code (.*)\}\. \*\/\n.*\n {2}public record (\w+)\(/g)];
    expect(names.length).toBe(SHAPES.length - 2);
    const cases = names.map(([, name = '', type]) => {
      const payload = JSON.stringify(payloadOf({ name, schema: null }));
      return `    takes(Events.${type}.class, ${JSON.stringify(payload)});`;
    });
    write(
      'Check.java',
      `import com.fasterxml.jackson.databind.ObjectMapper;

public class Check {
  static final ObjectMapper MAPPER = new ObjectMapper();

  static void takes(Class<?> type, String payload) throws Exception {
    Object value = MAPPER.readValue(payload, type);
    if (!MAPPER.readTree(MAPPER.writeValueAsBytes(value)).equals(MAPPER.readTree(payload))) {
      throw new AssertionError(type + ": " + payload + " became " + MAPPER.writeValueAsString(value));
    }
  }

  public static void main(String[] args) throws Exception {
${cases.join('\n')}
  }
}
`,
    );
    const flags = ['-Xlint:all,-processing,-classfile', '-Werror', '-d', place];
    expect(run('sh', '-c', `javac -cp "$(cat classpath)" ${flags.join(' ')} Events.java Check.java`)).toBe('');
    expect(run('sh', '-c', 'java -cp ".:$(cat classpath)" Check')).toBe('');
  },
  120_000,
);

test.each(['ts', 'python', 'go', 'java'] as const)(
  'a file in %s has the schemas from which it was written',
  (language) => {
    const read = readShapes(writeTypes(language, SHAPES));
    expect(read).toHaveLength(SHAPES.length);
    expect(read).toEqual(expect.arrayContaining(SHAPES));
  },
);

test('another file has none', () => {
  expect(readShapes('export type A = string;')).toBeUndefined();
});
