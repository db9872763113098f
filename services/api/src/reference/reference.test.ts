import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { afterAll, expect, test } from '@jest/globals';
import request from 'supertest';
import { startApi } from '../../test/api-under-test.ts';

const api = await startApi();
afterAll(() => api.stop());

test('the reference loads everything from this service, and its policy forbids other sources', async () => {
  const page = await request(api.app).get('/reference');
  expect([page.status, page.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
  const sources = [...page.text.matchAll(/(?:src|href)="([^"]*)"/g)].map(([, source]) => source);
  expect(sources).toEqual(['data:,', '/docs', '/', '/reference/scalar.js', '/reference/start.js']);
  expect(page.text).not.toMatch(/<script>|https?:\/\//);
  expect(page.headers['content-security-policy']).toContain("default-src 'self'; script-src 'self';");
  expect(page.headers['content-security-policy']).not.toMatch(/https?:|unsafe-eval/);
});

test('its scripts are served as scripts, the viewer from the installed package', async () => {
  const start = await request(api.app).get('/reference/start.js');
  expect([start.status, start.headers['content-type']]).toEqual([200, 'text/javascript; charset=utf-8']);
  // Each operation appears once. The other document also has the operations of the dashboard and the portal.
  expect(start.text).toContain("url: '/reference/openapi.json'");
  const viewer = await request(api.app).get('/reference/scalar.js');
  expect([viewer.status, viewer.headers['content-type']]).toEqual([200, 'text/javascript; charset=utf-8']);
  expect(viewer.text.length).toBeGreaterThan(1_000_000);
});

test('everything that the page loads is less than 1 MB, compressed, and the same without compression', async () => {
  let bytes = 0;
  for (const path of ['/reference', '/reference/start.js', '/reference/scalar.js', '/reference/openapi.json']) {
    const [packed, plain] = await Promise.all(
      ['gzip', 'identity'].map((encoding) => request(api.app).get(path).set('Accept-Encoding', encoding)),
    );
    bytes += Number(packed?.headers['content-length']);
    expect([path, packed?.text === plain?.text]).toEqual([path, true]);
  }
  expect(bytes).toBeLessThan(1_000_000);
});

test.each(['/reference', '/reference/start.js', '/reference/scalar.js', '/openapi.json'])(
  '%s allows only reads',
  async (path) => {
    const reply = await request(api.app).post(path);
    expect([reply.status, reply.headers.allow, reply.body.error.code]).toEqual([
      405,
      'GET, HEAD',
      'method_not_allowed',
    ]);
    expect((await request(api.app).head(path)).status).toBe(200);
  },
);

test('every dependency of the viewer, and no other, is left out of the installation: its script contains them', () => {
  const require = createRequire(import.meta.url);
  const manifest = new URL('../package.json', `file://${require.resolve('@scalar/api-reference/style.css')}`);
  const { dependencies } = JSON.parse(readFileSync(manifest, 'utf8'));
  const workspace = readFileSync(new URL('../../../../pnpm-workspace.yaml', import.meta.url), 'utf8');
  const leftOut = [...workspace.matchAll(/"@scalar\/api-reference>(.+)": "-"/g)].map(([, name]) => name);
  expect(leftOut.sort()).toEqual(Object.keys(dependencies).sort());
});
