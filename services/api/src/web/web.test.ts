import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { fromId, newUuid, toId } from '@posthorn/contract/ids';
import request from 'supertest';
import { type ApiUnderTest, startApi } from '../../test/api-under-test.ts';
import { seedPortal } from '../../test/people.ts';

const SCRIPT = 'export const a = 1;';
const page = (name: string) =>
  `<html lang="en"><title>${name}</title><meta property="csp-nonce" nonce="__CSP_NONCE__">`;

let api: ApiUnderTest;
let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'posthorn-web-'));
  mkdirSync(join(folder, 'assets'));
  writeFileSync(join(folder, 'index.html'), page('dashboard'));
  writeFileSync(join(folder, 'portal.html'), page('portal'));
  writeFileSync(join(folder, 'assets/a-1.js'), SCRIPT);
  writeFileSync(join(folder, 'assets/a-1.js.gz'), gzipSync(SCRIPT));
  writeFileSync(join(folder, 'assets/a-1.js.br'), brotliCompressSync(SCRIPT));
  writeFileSync(join(folder, 'assets/gone-1.js'), SCRIPT);
  api = await startApi({ webFolder: folder });
});
afterAll(async () => {
  await api.stop();
  rmSync(folder, { recursive: true, force: true });
});

const get = (path: string) => request(api.app).get(path);
const policyOf = (reply: { headers: Record<string, string> }) => reply.headers['content-security-policy'] ?? '';

test.each([
  '/',
  '/login',
  '/forgot-password',
  '/set-password',
  '/confirm-alerts',
  '/device',
  '/oidc/callback',
  '/sign-in-link',
  '/w',
  '/w/acme',
  '/w/acme/production/deliveries/dlv_1',
])('%s answers the dashboard’s page', async (path) => {
  const reply = await get(path);
  expect([reply.status, reply.type]).toEqual([200, 'text/html']);
  expect(reply.text).toContain('<title>dashboard</title>');
});

test('a page is kept by no cache, framed by no page, and runs no inline script', async () => {
  const reply = await get('/');
  expect(reply.headers).toMatchObject({ 'cache-control': 'no-store', 'x-frame-options': 'DENY' });
  expect(policyOf(reply)).toContain("script-src 'self';");
  expect(policyOf(reply)).toContain("frame-ancestors 'none'");
  expect(policyOf(reply)).not.toContain('unsafe');
});

test('each answer has a nonce of its own, the same in its policy and its page', async () => {
  const nonces = await Promise.all(
    ['/', '/'].map(async (path) => {
      const reply = await get(path);
      const [, nonce = ''] = /'nonce-([^']+)'/.exec(policyOf(reply)) ?? [];
      expect(reply.text).toContain(`nonce="${nonce}"`);
      return nonce;
    }),
  );
  expect(new Set(nonces).size).toBe(2);
  expect(nonces[0]).toMatch(/^[A-Za-z0-9+/]{22}==$/);
});

test.each(['gzip', 'br'])(
  'an asset is answered as it was compressed at the build (%s), for a year',
  async (encoding) => {
    const reply = await get('/assets/a-1.js').set('accept-encoding', encoding);
    expect([reply.status, reply.headers['content-encoding']]).toEqual([200, encoding]);
    expect(reply.headers['cache-control']).toBe('public, max-age=31536000, immutable');
    expect([reply.type, reply.text]).toEqual(['text/javascript', SCRIPT]);
    expect(reply.headers.vary).toContain('Accept-Encoding');
  },
);

test('an asset is answered uncompressed where the client accepts no encoding', async () => {
  const reply = await get('/assets/a-1.js').set('accept-encoding', 'identity');
  expect([reply.status, reply.headers['content-encoding'], reply.text]).toEqual([200, undefined, SCRIPT]);
});

test('an asset that has disappeared since the start is an error of one request, not the end of the process', async () => {
  rmSync(join(folder, 'assets/gone-1.js'));
  const gone = await get('/assets/gone-1.js');
  expect(gone.status).toBeGreaterThanOrEqual(400);
  expect((await get('/assets/a-1.js')).status).toBe(200);
});

test.each([
  '/assets/b.js',
  '/assets/../index.html',
  '/assets/%2e%2e/index.html',
  '/W',
  '/login/',
  '/nothing',
  '/api',
  '/api/w',
  '/portal',
  '/portal/',
  '/management/v1',
])('%s stays not_found', async (path) => {
  const page = await get(path).set('accept', 'text/html');
  const isForPrograms = path.startsWith('/api') || path.startsWith('/management');
  expect([page.status, page.type]).toEqual([404, isForPrograms ? 'application/json' : 'text/html']);
  const reply = await get(path).set('accept', 'application/json');
  expect([reply.status, reply.body]).toEqual([404, { error: { code: 'not_found', message: 'Route not found' } }]);
});

test('the paths of the service itself stay as they are', async () => {
  expect((await get('/healthz')).body).toEqual({ status: 'alive' });
  expect((await get('/openapi.json')).type).toBe('application/json');
  expect((await get('/reference')).text).toContain('API reference');
});

test('a page is read only', async () => {
  const reply = await request(api.app).post('/');
  expect([reply.status, reply.headers.allow]).toEqual([405, 'GET, HEAD']);
});

test('the portal may be framed by the origins of its workspace, and by no others', async () => {
  const { portalSessionId } = await seedPortal(api.db, api);
  const closed = await get(`/portal/${portalSessionId}`);
  expect([closed.status, policyOf(closed)]).toEqual([200, expect.stringContaining("frame-ancestors 'none'")]);
  expect(closed.text).toContain('<title>portal</title>');
  const id = fromId('ws', api.workspaceId) ?? '';
  const portalOrigins = ['https://app.example.com', 'https://shop.example:8443'];
  await api.db.workspace.update({ where: { id }, data: { portalOrigins } });
  const open = await get(`/portal/${portalSessionId}`);
  expect(policyOf(open)).toContain('frame-ancestors https://app.example.com https://shop.example:8443');
  expect(open.headers['x-frame-options']).toBeUndefined();
});

test('the portal loads images from the origin of its session’s logo, and the policy takes nothing else from it', async () => {
  const { portalSessionId } = await seedPortal(api.db, api);
  const imagesFor = async (logoUrl: string) => {
    const where = { id: fromId('prt', portalSessionId) ?? '' };
    await api.db.portalSession.update({ where, data: { theme: { logoUrl } } });
    const policy = policyOf(await get(`/portal/${portalSessionId}`));
    return policy.split('; ').filter((directive) => directive.startsWith('img-src'));
  };
  expect(await imagesFor('https://cdn.example.com:8443/a;b.svg?c')).toEqual([
    "img-src 'self' data: https://cdn.example.com:8443",
  ]);
  expect(await imagesFor('http://localhost:5173/logo.svg')).toEqual(["img-src 'self' data: http://localhost:5173"]);
  for (const hostile of [
    'http://cdn.example.com/a.svg',
    'https://*/a.svg',
    'https://a;sandbox/a.svg',
    "https://a,script-src'none'/a.svg",
  ]) {
    expect([hostile, await imagesFor(hostile)]).toEqual([hostile, ["img-src 'self' data:"]]);
  }
});

test('the portal is in the language of its session and the words of its workspace, also of one that has ended; every other page is English', async () => {
  const { portalSessionId } = await seedPortal(api.db, api);
  const where = { id: fromId('prt', portalSessionId) ?? '' };
  await api.db.portalSession.update({ where, data: { locale: 'de' } });
  const start = async () => /<html[^>]*>/.exec((await get(`/portal/${portalSessionId}`)).text)?.[0];
  expect(await start()).toBe('<html lang="de" data-event-term="Message">');
  const workspace = { id: fromId('ws', api.workspaceId) ?? '' };
  await api.db.workspace.update({ where: workspace, data: { portalEventTerm: 'Event' } });
  await api.db.portalSession.update({ where, data: { expiresAt: new Date(Date.now() - 1_000) } });
  expect(await start()).toBe('<html lang="de" data-event-term="Event">');
  for (const path of ['/', '/portal/prt_nonsense']) {
    expect([path, (await get(path)).text]).toEqual([path, expect.stringContaining('<html lang="en">')]);
  }
});

test('a portal session that is unknown or has ended may be framed by no page', async () => {
  const { portalSessionId } = await seedPortal(api.db, api);
  await api.db.portalSession.update({
    where: { id: fromId('prt', portalSessionId) ?? '' },
    data: { expiresAt: new Date(Date.now() - 1_000) },
  });
  for (const id of [portalSessionId, toId('prt', newUuid(new Date())), 'prt_nonsense', api.workspaceId]) {
    expect([id, policyOf(await get(`/portal/${id}`))]).toEqual([id, expect.stringContaining("frame-ancestors 'none'")]);
  }
});

test('without a build, the dashboard’s paths are unknown', async () => {
  const bare = await startApi();
  try {
    expect((await request(bare.app).get('/')).status).toBe(404);
  } finally {
    await bare.stop();
  }
});

describe('an unknown path', () => {
  const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';

  test('is a page for a person', async () => {
    const reply = await get('/dashbord').set('Accept', BROWSER);
    expect([reply.status, reply.type]).toEqual([404, 'text/html']);
    expect(reply.text).toContain('<a href="/">Dashboard</a>');
    expect(policyOf(reply)).toContain("default-src 'none'");
  });

  test.each(['/management/v1/x', '/api/x', '/mcp/x', '/.well-known/x'])(
    'below %s it is JSON for everybody',
    async (path) => {
      const reply = await get(path).set('Accept', BROWSER);
      expect([reply.status, reply.body.error.code]).toEqual([404, 'not_found']);
    },
  );

  test.each(['*/*', 'application/json', 'application/json, text/html'])(
    'is JSON for a program that accepts %s',
    async (accept) => {
      const reply = await get('/dashbord').set('Accept', accept);
      expect([reply.status, reply.body]).toEqual([404, { error: { code: 'not_found', message: 'Route not found' } }]);
    },
  );
});
