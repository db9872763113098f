import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { preparePython } from '@posthorn/testkit/python-environment';
import { projectRoot } from '../pages/run-page.ts';

// Builds the references of the libraries with sdks/reference.mjs. typedoc and pdoc are downloaded only with
// CLIENTS=…, as in CI. sdks/java/java.test.ts builds the reference for Java, because Maven has one folder for
// everything that it makes.

const python = await preparePython();
const isFetched = process.env.CLIENTS !== undefined;
const hasGo = spawnSync('go', ['version'], { stdio: 'ignore' }).status === 0;

const references = [
  { language: 'typescript', pages: ['index.html', 'classes/index.Posthorn.html'], can: isFetched },
  {
    language: 'python',
    pages: ['posthorn_client.html', 'posthorn_client/webhooks.html'],
    can: isFetched && python.kind === 'ready',
  },
  { language: 'go', pages: ['posthorn.txt', 'webhooks.txt'], can: hasGo },
];

for (const { language, pages, can } of references) {
  if (!can) {
    test.skip(`${language}: CLIENTS is not set, or its tool is not installed`, () => undefined);
    continue;
  }
  test(`the reference of the library in ${language} is built without a warning`, () => {
    const env = { ...process.env, ...(python.kind === 'ready' && { PYTHON: python.python }) };
    const output = execFileSync('node', ['sdks/reference.mjs', language], { cwd: projectRoot, env, encoding: 'utf8' });
    expect(output).toBe(`sdks/dist/${language}\n`);
    const folder = join(projectRoot, 'sdks/dist', language);
    expect(pages.filter((page) => !existsSync(join(folder, page)))).toEqual([]);
    expect(readFileSync(join(folder, pages[1] ?? ''), 'utf8').length).toBeGreaterThan(1_000);
  }, 300_000);
}
