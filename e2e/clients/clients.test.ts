import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Service, startService } from '../contract/service.ts';
import { GENERATORS, type Generator } from './generators.ts';
import { lackOf, saySkipped } from './tools.ts';

// Fetches generators and their libraries, so it runs only on request: `CLIENTS=all npm test -- e2e/clients`, or
// `CLIENTS=quick` without the slow generators. A generator is skipped, with a message, if one of its programs is not
// installed or cannot reach its registry.

const HERE = fileURLToPath(new URL('.', import.meta.url));
const SPEC = fileURLToPath(new URL('../../docs/openapi-sdk.json', import.meta.url));
const WHOLE = fileURLToPath(new URL('../../docs/openapi.json', import.meta.url));
const ONE_CLIENT_MS = 900_000;

const CLIENTS = process.env.CLIENTS ?? '';
const isWanted = CLIENTS !== '';
/** The reasons why a generator is not run. */
const reasonsAgainst = ({ needs, slow }: Generator) =>
  CLIENTS === 'quick' && slow ? ['not in the quick run'] : needs.map(lackOf).filter((lack) => lack !== undefined);
const run = promisify(execFile);

let service: Service;
beforeAll(async () => {
  if (isWanted) service = await startService();
});
afterAll(() => service?.stop());

describe('the interface description is without errors and warnings', () => {
  const lint = isWanted ? test : test.skip;

  lint(
    'for Redocly’s recommended rules',
    async () => {
      const command = ['-y', '@redocly/cli@2.77.0', 'lint', '--config', join(HERE, 'redocly.yaml'), '--format=json'];
      for (const document of [WHOLE, SPEC]) {
        const { stdout } = await run('npx', [...command, document], { maxBuffer: 1e8 });
        expect(JSON.parse(stdout).totals).toMatchObject({ errors: 0, warnings: 0 });
      }
    },
    ONE_CLIENT_MS,
  );

  lint(
    'for Spectral’s rules for OpenAPI',
    async () => {
      const command = ['-y', '@stoplight/spectral-cli@6.16.3', 'lint', '--ruleset', join(HERE, 'spectral.yaml')];
      await run('npx', [...command, '--fail-severity=warn', WHOLE, SPEC], { maxBuffer: 1e8 });
    },
    ONE_CLIENT_MS,
  );
});

describe('a client that was generated from docs/openapi.json compiles', () => {
  for (const { name, whole, ...generator } of GENERATORS) {
    if (whole === undefined) continue;
    const reasons = isWanted ? reasonsAgainst({ name, ...generator }) : [];
    const make = !isWanted || reasons.length > 0 ? test.skip : test;
    make(name, () => inFolder(generator.files ?? {}, { SPEC: WHOLE }, whole), ONE_CLIENT_MS);
  }
});

describe('a client that was generated from docs/openapi-sdk.json compiles, creates, lists, reads an error and sends events', () => {
  for (const [index, generator] of GENERATORS.entries()) {
    const { name, program, files = {}, commands } = generator;
    const [file, place] = program;
    const reasons = isWanted ? reasonsAgainst(generator) : [];
    if (reasons.length > 0) saySkipped(name, reasons);
    const make = !isWanted || reasons.length > 0 ? test.skip : test;

    make(
      name,
      async () => {
        const eventType = `client.made_${index}`;
        const { workspaceId, managementToken, apiKey } = service.workspace;
        const endpointId = await service.workspace.make('/endpoints', { type: 'playground' });
        const env = {
          SPEC,
          BASE_URL: service.stack.api.url,
          TOKEN: managementToken,
          WORKSPACE_ID: workspaceId,
          NAME: eventType,
          API_KEY: apiKey,
          ENDPOINT_ID: endpointId,
        };
        const sources = { [place]: readFileSync(join(HERE, 'programs', file), 'utf8'), ...files };
        const output = await inFolder(sources, env, commands);
        expect(output.trim().split('\n')).toEqual([
          `created ${eventType}`,
          'listed true',
          'refused not_found Event type not found',
          `sent ${eventType}`,
          'sent directly dlv_',
        ]);
      },
      ONE_CLIENT_MS,
    );
  }
});

/** Runs the commands in a new folder with these files. Returns the output of the last command. */
async function inFolder(
  files: Record<string, string>,
  env: Record<string, string>,
  commands: readonly string[],
): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'posthorn-client-'));
  try {
    for (const [path, text] of Object.entries(files)) writeFileSync(join(folder, path), text);
    let output = '';
    for (const command of commands) {
      const options = { cwd: folder, env: { ...process.env, ...env }, maxBuffer: 1e8, timeout: ONE_CLIENT_MS };
      ({ stdout: output } = await run('bash', ['-c', command], options));
    }
    return output;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
