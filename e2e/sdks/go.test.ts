import { execFile, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from '@jest/globals';
import { projectRoot } from '../pages/run-page.ts';
import { startServices } from '../services-in-process.ts';

const version = spawnSync('go', ['env', 'GOVERSION'], { encoding: 'utf8' }).stdout ?? '';
const isInstalled = Number(/^go1\.(\d+)/.exec(version)?.[1] ?? 0) >= 23;

if (isInstalled) {
  test('with a running Posthorn, the Go library makes the calls of sdks/conformance/calls.json and passes ten tests of the interface', async () => {
    const stack = await startServices({ settings: { RATE_LIMIT_MANAGEMENT: '0' } });
    try {
      const env = {
        ...process.env,
        POSTHORN_BASE_URL: stack.api.url,
        POSTHORN_TOKEN: stack.managementToken,
        POSTHORN_API_KEY: stack.apiKey,
        POSTHORN_CALLS_ENVIRONMENT: stack.environmentId,
      };
      const args = ['test', '-count=1', '-v', '-run', 'TestTheConformanceCallsToARunningPosthorn|TestInterface', '.'];
      const run = promisify(execFile)('go', args, { cwd: join(projectRoot, 'sdks/go'), env, timeout: 120_000 });
      const { stdout } = await run.catch((failed: { stdout: string }) => failed);
      const passed = [...stdout.matchAll(/^--- PASS: (\w+)/gm)].map(([, name]) => name);
      const tests = passed.filter((name) => name?.startsWith('TestInterface'));
      expect({ stdout, tests: tests.length }).toMatchObject({ tests: 10 });
      expect(passed).toContain('TestTheConformanceCallsToARunningPosthorn');
    } finally {
      await stack.stop();
    }
  }, 240_000);
} else {
  test.skip('the calls of the Go library: Go 1.23 or newer is not installed', () => undefined);
}
