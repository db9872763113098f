import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from '@jest/globals';
import { startService } from '../contract/service.ts';
import { lackOf, SCHEMATHESIS, saySkipped } from './tools.ts';

const HERE = fileURLToPath(new URL('.', import.meta.url));
const run = promisify(execFile);
const RUN_MS = 1_800_000;

// Installs Schemathesis from the registry into a new folder: `SCHEMATHESIS=true npm test -- e2e/clients`.
// `SCHEMATHESIS=1/2` and `2/2` test every second path.
const wanted = process.env.SCHEMATHESIS ?? '';
const isWanted = wanted !== '';
const lack = isWanted ? lackOf('python3') : undefined;
if (lack !== undefined) saySkipped('Schemathesis', [lack]);
const schemathesis = isWanted && lack === undefined ? test : test.skip;

schemathesis(
  'Schemathesis finds no answer of programs’ operations that contradicts the interface description',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'posthorn-schemathesis-'));
    const service = await startService();
    try {
      const venv = join(folder, 'venv');
      await run('python3', ['-m', 'venv', venv]);
      await run(join(venv, 'bin/pip'), ['install', '--quiet', SCHEMATHESIS], { timeout: RUN_MS });
      const url = service.stack.api.url;
      const document = (await (await fetch(`${url}/openapi/sdk.json`)).json()) as Document;
      writeFileSync(
        join(folder, 'openapi.json'),
        JSON.stringify(wanted === 'true' ? document : half(document, wanted)),
      );
      const { workspaceId, managementToken } = service.workspace;
      // Uses the key of another workspace, because the run deletes and rotates every key that it finds in its own.
      const ingesting = await service.another();
      const { eventType, endpointId } = await ingesting.makeRoute('https://127.0.0.1/');
      const { apiKey } = ingesting;
      const env = { ...process.env, BASE_URL: url, MANAGEMENT_TOKEN: managementToken, API_KEY: apiKey };
      const config = readFileSync(join(HERE, 'schemathesis.toml'), 'utf8')
        .replaceAll('WORKSPACE_ID', workspaceId)
        .replaceAll('EVENT_TYPE', eventType)
        .replaceAll('ENDPOINT_ID', endpointId)
        .replaceAll('HOOKS', join(HERE, 'schemathesis_hooks.py'));
      writeFileSync(join(folder, 'schemathesis.toml'), config);
      const command = ['--config-file', join(folder, 'schemathesis.toml'), 'run', join(folder, 'openapi.json')];
      const options = ['--url', url, '--no-color'];
      const ended = await run(join(venv, 'bin/schemathesis'), [...command, ...options], {
        cwd: folder,
        env,
        maxBuffer: 1e8,
        timeout: RUN_MS,
      }).catch((error: { stdout: string }) => error);
      writeFileSync(join(HERE, '../../.test-results/schemathesis.txt'), ended.stdout);
      const failures = ended.stdout.slice(Math.max(ended.stdout.search(/={3,} (ERRORS|FAILURES) /), 0));
      expect('code' in ended ? failures : 'no failures').toBe('no failures');
    } finally {
      await service.stop();
      rmSync(folder, { recursive: true, force: true });
    }
  },
  RUN_MS,
);

type Document = { paths: Record<string, unknown> };

/** The document with every second path; the two parts together have all of them. */
function half(document: Document, part: string): Document {
  const parts = ['1/2', '2/2'];
  if (!parts.includes(part)) throw new Error(`SCHEMATHESIS is true, 1/2 or 2/2, not ${part}`);
  const paths = Object.entries(document.paths).filter((_, index) => index % 2 === parts.indexOf(part));
  return { ...document, paths: Object.fromEntries(paths) };
}
