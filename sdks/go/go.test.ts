import { execFile, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from '@jest/globals';

// Tests the Go library with Go's own tools: the conformance cases, the signatures, and the files *_test.go here.

const folder = fileURLToPath(new URL('.', import.meta.url));
const version = spawnSync('go', ['env', 'GOVERSION'], { encoding: 'utf8' }).stdout ?? '';
const isInstalled = Number(/^go1\.(\d+)/.exec(version)?.[1] ?? 0) >= 23;

/** Runs a command, and returns what it prints. If the command fails, the error has its output. */
async function run(command: string, ...args: string[]): Promise<string> {
  const env = { ...process.env, GOPROXY: 'off', GOTOOLCHAIN: 'local' };
  const { stdout } = await promisify(execFile)(command, args, { cwd: folder, env, timeout: 170_000 });
  return stdout;
}

test('the Go library has the version of the others', () => {
  const { version } = JSON.parse(readFileSync(new URL('../typescript/package.json', import.meta.url), 'utf8'));
  expect(readFileSync(new URL('version.go', import.meta.url), 'utf8')).toContain(`const Version = "${version}"`);
});

if (isInstalled) {
  test('the Go library is formatted, and go vet finds nothing', async () => {
    expect(await run('gofmt', '-l', '.')).toBe('');
    await run('go', 'vet', './...');
  }, 180_000);

  test('the tests of the Go library pass', async () => {
    const printed = await run('go', 'test', '-count=1', './...');
    expect(printed).toMatch(/^ok .*posthorn-go\s/m);
    expect(printed).toMatch(/^ok .*posthorn-go\/webhooks\s/m);
  }, 180_000);
} else {
  test.skip('go vet and the tests of the Go library: Go 1.23 or newer is not installed', () => undefined);
}
