import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { afterAll, expect as equal } from '@jest/globals';
import type { Browser } from '@playwright/test';
import { type ApiClient, createApiClient } from '@posthorn/testkit/api-client';
import { rolldown } from 'rolldown';
import { type Services, startServices } from '../services-in-process.ts';
import { beforeAll, expect, inBrowser, launchBrowser, test } from './browser.ts';

// Runs the programs of the README of @posthorn/react in pages of another origin than the API.

const sdk = fileURLToPath(new URL('../../sdks/react/', import.meta.url));

/** The programs of the README, with the address of this API and with a height that shows a change. */
function readPrograms(apiUrl: string): Record<string, string> {
  const readme = readFileSync(`${sdk}README.md`, 'utf8');
  const [portal = '', hooks = ''] = [...readme.matchAll(/```tsx\n([\s\S]*?)```/g)].map(([, program]) => program ?? '');
  return {
    [`${sdk}portal.tsx`]: portal.replace('<PosthornPortal ', '<PosthornPortal minHeight={100} '),
    [`${sdk}hooks.tsx`]: hooks.replace('https://webhooks.example.com', apiUrl),
    [`${sdk}main.tsx`]: `
      import { StrictMode } from 'react';
      import { createRoot } from 'react-dom/client';
      import { Page } from './hooks.tsx';
      import { Webhooks } from './portal.tsx';
      const shown = location.pathname === '/portal' ? <Webhooks /> : <Page />;
      createRoot(document.querySelector('main')).render(<StrictMode>{shown}</StrictMode>);`,
  };
}

/** Bundles the programs into one script. */
async function bundle(programs: Record<string, string>): Promise<string> {
  const bundled = await rolldown({
    input: `${sdk}main.tsx`,
    plugins: [
      {
        name: 'readme',
        resolveId: (name) => {
          const path = name.startsWith('./') ? sdk + name.slice(2) : name;
          return path in programs ? path : null;
        },
        load: (path) => programs[path] ?? null,
      },
    ],
    resolve: { conditionNames: ['@posthorn/source', 'import', 'browser', 'default'] },
    transform: { define: { 'process.env.NODE_ENV': '"production"' } },
  });
  try {
    return (await bundled.generate({ format: 'esm' })).output[0].code;
  } finally {
    await bundled.close();
  }
}

inBrowser('@posthorn/react', () => {
  let stack: Services;
  let client: ApiClient;
  let browser: Browser;
  let site: Server;
  let applicationId: string;
  let port: number;
  /** The sessions that the site's server has created, newest last. */
  const sessions: string[] = [];

  const newSession = async () => {
    const path = `/applications/${applicationId}/portal-sessions`;
    const { body } = await client.call<{ id: string; url: string; token: string }>('POST', path, {});
    sessions.push(body.id);
    return body;
  };

  /** Ends every session that a page may hold. */
  const endSessions = async () => {
    for (const id of sessions.splice(0))
      await client.call('DELETE', `/applications/${applicationId}/portal-sessions/${id}`);
  };

  beforeAll(async () => {
    stack = await startServices({ dispatchers: 0 });
    client = createApiClient({ ...stack, baseUrl: stack.api.url });
    equal((await client.call('PATCH', '', { portalOrigins: ['http://localhost:*'] })).status).toBe(200);
    applicationId = (await client.call<{ id: string }>('POST', '/applications', { name: 'Bolts & Sons' })).body.id;
    for (let n = 0; n < 51; n += 1) {
      const url = `https://127.0.0.1/hooks/${n}`;
      equal((await client.call('POST', `/applications/${applicationId}/endpoints`, { url })).status).toBe(201);
    }
    const script = await bundle(readPrograms(stack.api.url));
    site = createServer(async ({ method, url }, response) => {
      if (method === 'POST' && url === '/webhooks-session') response.end(JSON.stringify(await newSession()));
      else if (url === '/script.js') response.setHeader('content-type', 'text/javascript').end(script);
      else
        response
          .setHeader('content-type', 'text/html')
          .setHeader('referrer-policy', 'no-referrer')
          .end('<!doctype html><main></main><script type="module" src="/script.js"></script>');
    });
    await new Promise<void>((resolve) => site.listen(0, resolve));
    ({ port } = site.address() as AddressInfo);
    browser = await launchBrowser();
  });
  afterAll(async () => {
    await browser?.close();
    site?.closeAllConnections();
    site?.close();
    await stack?.stop();
  });

  const open = async (url: string) => {
    const page = await browser.newPage({ viewport: { width: 1000, height: 800 }, reducedMotion: 'reduce' });
    await page.context().grantPermissions(['local-network-access']);
    await page.goto(url);
    return page;
  };

  test('the portal is a frame as high as its content, and a session that has ended is followed by another', async () => {
    const page = await open(`http://localhost:${port}/portal`);
    const frame = page.locator('iframe');
    const heading = page.frameLocator('iframe').getByRole('heading', { level: 1, name: 'Your endpoints' });
    await expect(heading).toBeVisible();
    await expect(frame).toHaveAttribute('title', 'Webhooks');
    // In Firefox, only the referrer tells the portal which page has it in a frame.
    const referrer = await page.frames()[1]?.evaluate<string>('document.referrer');
    equal(referrer).toBe(`http://localhost:${port}/`);
    // The list of 50 endpoints is taller than the window and than the minimum height.
    await expect.poll(async () => (await frame.boundingBox())?.height).toBeGreaterThan(800);
    const before = await frame.getAttribute('src');
    await endSessions();
    await page.frameLocator('iframe').getByRole('link', { name: 'Messages', exact: true }).click();
    await expect.poll(() => frame.getAttribute('src')).not.toBe(before);
    await expect(heading).toBeVisible();
    await page.close();
  });

  test('hooks read page by page and change, in a new session when one has ended, and send no cookie', async () => {
    const page = await open(`http://localhost:${port}/hooks`);
    const cookies: (string | undefined)[] = [];
    page.on('request', async (request) => {
      if (request.url().startsWith(stack.api.url)) cookies.push((await request.allHeaders()).cookie);
    });
    const rows = page.getByRole('listitem');
    await expect(rows).toHaveCount(50);
    await expect(rows.first()).toHaveText('https://127.0.0.1/hooks/0');
    await page.getByRole('button', { name: 'More' }).click();
    await expect(rows).toHaveCount(51);
    await expect(page.getByRole('button', { name: 'More' })).toHaveCount(0);
    await endSessions();
    await page.getByRole('button', { name: 'Add' }).click();
    // The list is read again from the start: the first 50 of 52.
    await expect(page.getByRole('button', { name: 'More' })).toBeVisible();
    await page.getByRole('button', { name: 'More' }).click();
    await expect(page.getByText('https://example.com/hooks', { exact: true })).toBeVisible();
    await expect(rows).toHaveCount(52);
    equal(cookies.length).toBeGreaterThan(3);
    equal(cookies.filter((cookie) => cookie !== undefined)).toEqual([]);
    await page.close();
  });

  test('a page of an origin that is not listed reads nothing, and is shown no portal', async () => {
    const hooks = await open(`http://127.0.0.1:${port}/hooks`);
    await expect(hooks.getByRole('alert')).toBeVisible();
    await expect(hooks.getByRole('listitem')).toHaveCount(0);
    const portal = await browser.newPage();
    const refused = portal.waitForEvent('console', { predicate: (one) => one.text().includes('frame-ancestors') });
    await portal.goto(`http://127.0.0.1:${port}/portal`);
    await refused;
    await hooks.close();
    await portal.close();
  });
});
