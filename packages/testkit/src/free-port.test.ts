import { spawnSync } from 'node:child_process';
import { expect, test } from '@jest/globals';
import { freePort } from './free-port.ts';

const module = new URL('../dist/free-port.js', import.meta.url).href;

test('a port is below those that the system gives out, so that no connection and no other server takes it', async () => {
  const ports = await Promise.all(Array.from({ length: 20 }, () => freePort()));
  expect(ports.filter((port) => port < 20_000 || port >= 26_000)).toEqual([]);
});

test('a port that nothing listens on yet is not given to another process', async () => {
  const port = await freePort();
  // Another process whose first five random choices are all the same port.
  const script = `
    import crypto from 'node:crypto';
    import { syncBuiltinESMExports } from 'node:module';
    const choose = crypto.randomInt;
    let choices = 0;
    crypto.randomInt = (low, high) => (choices++ < 5 ? ${port} : choose(low, high));
    syncBuiltinESMExports();
    const { freePort } = await import('${module}');
    console.log(choices, await freePort(), choices);`;
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' });
  const [before, other, after] = stdout.trim().split(' ').map(Number);
  expect([stderr, before]).toEqual(['', 0]);
  // The sixth choice may be a port that another test has taken; then there are more.
  expect(after).toBeGreaterThanOrEqual(6);
  expect(other).not.toBe(port);
});
