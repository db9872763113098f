import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import request from 'supertest';
import { type ApiUnderTest, startApi } from '../../test/api-under-test.ts';

let api: ApiUnderTest;
let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'posthorn-docs-'));
  mkdirSync(join(folder, 'how-to'));
  mkdirSync(join(folder, 'assets'));
  writeFileSync(join(folder, 'index.html'), '<h1>Documentation</h1>');
  writeFileSync(join(folder, 'how-to/recover.html'), '<h1>Recover</h1>');
  writeFileSync(join(folder, 'how-to/recover.html.gz'), gzipSync('<h1>Recover</h1>'));
  writeFileSync(join(folder, 'assets/search.json'), '{}');
  mkdirSync(join(folder, 'receivers'));
  writeFileSync(join(folder, 'receivers/receiver.py.txt'), 'import os');
  writeFileSync(join(folder, 'secret.env'), 'not a page');
  api = await startApi({ docsFolder: folder });
});
afterAll(async () => {
  await api.stop();
  rmSync(folder, { recursive: true, force: true });
});

test.each([
  ['/docs', 'text/html', '<h1>Documentation</h1>'],
  ['/docs/how-to/recover', 'text/html', '<h1>Recover</h1>'],
  ['/docs/assets/search.json', 'application/json', '{}'],
  ['/docs/receivers/receiver.py.txt', 'text/plain', 'import os'],
])('%s answers a built page or asset, which a browser checks again', async (path, type, text) => {
  const reply = await request(api.app).get(path);
  expect([reply.status, reply.type, reply.text]).toEqual([200, type, text]);
  expect(reply.headers['cache-control']).toBe('no-cache');
  const again = await request(api.app)
    .get(path)
    .set('if-modified-since', reply.headers['last-modified'] ?? '');
  expect(again.status).toBe(304);
});

test.each([
  ['/docs/', '../docs'],
  ['/docs/how-to/recover/', '../recover'],
])('%s, with a slash at the end, leads to the page', async (path, location) => {
  const reply = await request(api.app).get(path);
  expect([reply.status, reply.headers.location]).toEqual([301, location]);
});

test('a page is compressed for a client that accepts it', async () => {
  const reply = await request(api.app).get('/docs/how-to/recover').set('accept-encoding', 'gzip');
  expect([reply.headers['content-encoding'], reply.text]).toEqual(['gzip', '<h1>Recover</h1>']);
});

test('a page loads nothing from another origin, runs no inline script, and is framed by no page', async () => {
  const { headers } = await request(api.app).get('/docs');
  const policy = headers['content-security-policy'] ?? '';
  expect(policy).toMatch(/default-src 'none'.*script-src 'self'.*frame-ancestors 'none'/);
  expect(policy).not.toMatch(/https?:|unsafe/);
  expect(headers['x-frame-options']).toBe('DENY');
});

test.each([
  '/docs/nothing',
  '/docs/nothing/',
  '/docs/secret.env',
  '/docs/how-to/recover.html.gz',
  '/docs/../package.json',
  '/docs/%2e%2e%2fpackage.json',
  '/docs/how-to/%2e%2e/%2e%2e/package.json',
  '/docs/constructor',
])('%s is not found', async (path) => {
  const reply = await request(api.app).get(path);
  expect([reply.status, reply.body.error?.code]).toEqual([404, 'not_found']);
});

test('the documentation is read only', async () => {
  const reply = await request(api.app).post('/docs/how-to/recover');
  expect([reply.status, reply.headers.allow]).toEqual([405, 'GET, HEAD']);
});
