import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { createOpenApi } from '../openapi/document.ts';
import { offered } from '../openapi/offered.ts';
import { withSamples } from './samples.ts';

const ROOT = new URL('../../../../', import.meta.url).pathname;

type Operation = { 'x-codeSamples'?: { lang: string; source: string }[] };

const operations = Object.entries(withSamples(createOpenApi(offered, 'sdk')).paths as Record<string, object>).flatMap(
  ([path, methods]) =>
    Object.entries(methods as Record<string, Operation>).map(([method, operation]) => ({
      name: `${method} ${path}`,
      samples: operation['x-codeSamples'] ?? [],
    })),
);
const sourcesIn = (wanted: string) =>
  operations.flatMap(({ samples }) => samples.filter(({ lang }) => lang === wanted).map(({ source }) => source));

test('each operation of the management interface but the stream has a sample of each library', () => {
  const without = operations.filter(({ name, samples }) => name.includes(' /management/') && samples.length !== 2);
  expect(without.map(({ name }) => name)).toEqual(['get /management/v1/workspaces/{workspaceId}/live']);
});

test('the samples for TypeScript compile with the library', () => {
  const results = join(ROOT, '.test-results');
  mkdirSync(results, { recursive: true });
  const folder = mkdtempSync(join(results, 'samples-'));
  try {
    for (const [index, source] of sourcesIn('typescript').entries()) writeFileSync(join(folder, `${index}.ts`), source);
    const tsconfig = {
      compilerOptions: {
        ...{ strict: true, noEmit: true, skipLibCheck: true, target: 'es2023', module: 'nodenext', types: ['node'] },
      },
      include: ['*.ts'],
    };
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(tsconfig));
    writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
    const tsc = join(ROOT, 'node_modules/typescript/bin/tsc');
    expect(() => execFileSync(process.execPath, [tsc, '-p', folder], { encoding: 'utf8' })).not.toThrow();
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}, 60_000);
