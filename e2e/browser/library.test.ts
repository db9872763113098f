import { readFileSync } from 'node:fs';
import { afterAll, expect } from '@jest/globals';
import type { Browser } from '@playwright/test';
import { Posthorn } from '@posthorn/client';
import { type Services, startServices } from '../services-in-process.ts';
import { beforeAll, inBrowser, launchBrowser, test, visitPage } from './browser.ts';

// Tests the TypeScript library in a page of the API's own origin, with the token of a portal session.

const built = new URL('../../sdks/typescript/dist/', import.meta.url);

/** The program that the page runs. It returns what it saw. */
const PROGRAM = `async ({ token }) => {
  const { NotFoundError, Posthorn } = await import('/library/index.js');
  const { sign, verify } = await import('/library/webhooks.js');
  const posthorn = new Posthorn({ baseUrl: location.origin, token });
  const created = await posthorn.endpoints.create({ url: 'https://127.0.0.1/', description: 'from a page' });
  const listed = await posthorn.endpoints.list().toArray({ limit: 10 });
  const changed = await posthorn.endpoints.update(created.id, { description: 'changed' });
  await posthorn.endpoints.delete(created.id);
  const missing = await posthorn.endpoints.get(created.id).catch((error) => error);
  const signed = await sign('{"total":1900}', created.secret);
  const verified = await verify('{"total":1900}', signed, created.secret);
  return {
    listed: listed.map(({ id, description }) => [id === created.id, description]),
    changed: changed.description,
    missing: missing instanceof NotFoundError && missing.code,
    verified: new TextDecoder().decode(verified.payload),
  };
}`;

inBrowser('the TypeScript library in a browser', () => {
  let stack: Services;
  let browser: Browser;
  beforeAll(async () => {
    stack = await startServices({ dispatchers: 0 });
    browser = await launchBrowser();
  });
  afterAll(async () => {
    await browser?.close();
    await stack?.stop();
  });

  test('with a portal token it manages the endpoints of the application, and asks no server for permission', async () => {
    const posthorn = new Posthorn({ baseUrl: stack.api.url, token: stack.managementToken });
    const application = await posthorn.applications.create({ name: 'Bolts & Sons' });
    const session = await posthorn.portalSessions.create(application.id);
    const { page, faults } = await visitPage(browser, `${stack.api.url}/healthz`);
    const preflights: string[] = [];
    page.on('request', (request) => request.method() === 'OPTIONS' && preflights.push(request.url()));
    await page.route('**/library/**', (route) => {
      const path = new URL(route.request().url()).pathname.replace('/library/', '');
      return route.fulfill({ contentType: 'text/javascript', body: readFileSync(new URL(path, built), 'utf8') });
    });
    const seen = await page.evaluate(`(${PROGRAM})(${JSON.stringify({ token: session.token })})`);
    expect(seen).toEqual({
      listed: [[true, 'from a page']],
      changed: 'changed',
      missing: 'not_found',
      verified: '{"total":1900}',
    });
    // Chromium reports the 404 response that the program provokes.
    expect(faults.filter((fault) => !fault.includes('404'))).toEqual([]);
    expect(preflights).toEqual([]);
  });
});
