import { readdirSync, readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { expect, test } from '@jest/globals';
import { transformSync } from '@swc/core';

const source = new URL('../../sdks/typescript/src/', import.meta.url);

const isSource = (name: string) => name.endsWith('.ts') && !name.endsWith('.test.ts');

/** The bytes that a browser gets: without types and comments, minified and compressed. */
function sizeOf(files: readonly string[]): number {
  const code = files.map((file) => {
    const options = {
      jsc: { parser: { syntax: 'typescript' }, target: 'es2022', minify: { compress: true, mangle: true } },
      minify: true,
      module: { type: 'es6' },
    } as const;
    return transformSync(readFileSync(new URL(file, source), 'utf8'), options).code;
  });
  return gzipSync(code.join('\n')).length;
}

test('the webhooks entry, which imports nothing, has at most 2 KB', () => {
  expect(readFileSync(new URL('webhooks.ts', source), 'utf8')).not.toMatch(/^import /m);
  expect(sizeOf(['webhooks.ts'])).toBeLessThanOrEqual(2 * 1024);
});

test('the core has at most 12 KB without the generated resources', () => {
  const apart = ['webhooks.ts', 'models.ts', 'resources.ts'];
  const files = readdirSync(source).filter((name) => isSource(name) && !apart.includes(name));
  expect(files).toContain('transport.ts');
  expect(sizeOf(files)).toBeLessThanOrEqual(12 * 1024);
});

test('no file of the library imports a package', () => {
  const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter(isSource);
  const imports = files.flatMap((file) => [
    ...readFileSync(new URL(file, source), 'utf8').matchAll(/^(?:import|export) .*? from '([^']+)';$/gms),
  ]);
  expect(imports.length).toBeGreaterThan(10);
  expect(imports.map(([, from]) => from).filter((from) => !from?.startsWith('.'))).toEqual([]);
});
