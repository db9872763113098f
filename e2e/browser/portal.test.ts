import { afterAll, beforeAll, describe, expect as equal, test } from '@jest/globals';
import { type Browser, expect, type Page } from '@playwright/test';
import { type ApiClient, createApiClient } from '@posthorn/testkit/api-client';
import { type Receiver, startReceiver } from '@posthorn/testkit/receiver';
import { type Stack, startStack } from '@posthorn/testkit/stack';
import { waitFor } from '@posthorn/testkit/wait-for';
import { hasBrowser, launchBrowser } from './browser.ts';

const HOSTILE = '<img src=x onerror="window.hacked = true">';
const SHOP = 'https://shop.example';
const RETURN_URL = 'https://shop.example/settings';

const inBrowser = hasBrowser ? describe : describe.skip;

inBrowser('the customer portal', () => {
  let receiver: Receiver;
  let stack: Stack;
  let client: ApiClient;
  let browser: Browser;
  let applicationId: string;

  beforeAll(async () => {
    receiver = await startReceiver();
    receiver.respondWith(() => ({ status: 200, body: HOSTILE }));
    stack = await startStack({ caPem: receiver.caPem });
    client = createApiClient({ ...stack, baseUrl: stack.api.url });
    const type = { name: 'order.created', description: HOSTILE, publishIn: [stack.environmentId] };
    equal((await client.call('POST', '/event-types', type)).status).toBe(201);
    equal((await client.call('PATCH', '', { portalOrigins: [SHOP] })).status).toBe(200);
    const application = await client.call<{ id: string }>('POST', '/applications', { name: `Bolts & ${HOSTILE}` });
    applicationId = application.body.id;
    browser = await launchBrowser();
  }, 60_000);

  afterAll(async () => {
    await browser?.close();
    await stack?.stop();
    await receiver?.close();
  }, 60_000);

  const openSession = async (body: object = {}) => {
    const path = `/applications/${applicationId}/portal-sessions`;
    const session = await client.call<{ id: string; url: string; token: string }>('POST', path, body);
    equal(session.status).toBe(201);
    return session.body;
  };

  const newPage = async (width = 390) => {
    const context = await browser.newContext({ viewport: { width, height: 844 } });
    return context.newPage();
  };

  /** A page of another origin that shows the portal in a frame. */
  const frameIn = async (origin: string, url: string) => {
    const page = await newPage();
    // The stack listens on a loopback address, which a browser asks about before a public page may reach it.
    await page.context().grantPermissions(['local-network-access']);
    const body = `<iframe src="${url}" width="380" height="800"></iframe>`;
    await page.route(`${origin}/**`, (route) => route.fulfill({ contentType: 'text/html', body }));
    const faults: string[] = [];
    page.on('console', (message) => faults.push(message.text()));
    await page.goto(`${origin}/webhooks`);
    return { faults, frame: page.frameLocator('iframe') };
  };

  const storedBy = (page: Page) =>
    page.evaluate<string>(
      'JSON.stringify([{...localStorage}, {...sessionStorage}, document.cookie, history.state, location.href])',
    );

  test('an endpoint is added, a test is sent to it, and its attempt is shown; hostile texts stay texts', async () => {
    const session = await openSession();
    const page = await newPage();
    await page.goto(session.url);
    await page.getByRole('button', { name: 'Add endpoint' }).click();
    await page.getByLabel('Address').fill(new URL('/portal', receiver.url).href);
    await page.getByLabel('Description').fill(HOSTILE);
    await page.getByRole('dialog').getByRole('button', { name: 'Add endpoint' }).click();
    await page.getByRole('tab', { name: 'Testing' }).click();
    await page.getByRole('button', { name: 'Send test' }).click();
    await expect(page.getByRole('heading', { name: 'Attempt 1' })).toBeVisible();
    await expect(page.getByText(HOSTILE).last()).toBeVisible();
    await page.getByRole('link', { name: 'Event catalogue' }).click();
    await expect(page.getByText(HOSTILE).last()).toBeVisible();
    await page.getByRole('link', { name: 'Activity' }).click();
    await expect(page.getByText('Endpoint created')).toBeVisible();
    equal(await page.evaluate('"hacked" in window')).toBe(false);
    equal(await page.evaluate('document.documentElement.scrollWidth <= 390')).toBe(true);
  });

  test('the token is in no address and no storage; a reload asks for the link again and leads back', async () => {
    const session = await openSession({ returnUrl: RETURN_URL });
    const page = await newPage();
    await page.goto(session.url);
    await expect(page.getByRole('heading', { name: 'Your endpoints' })).toBeVisible();
    await page.getByRole('link', { name: 'Event catalogue' }).click();
    equal(await storedBy(page)).not.toContain(session.token);
    await page.reload();
    await expect(page.getByText('Open the link again')).toBeVisible();
    await expect(page.getByRole('link', { name: 'Go back' })).toHaveAttribute('href', RETURN_URL);
  });

  test('a session that has ended says so at the next request', async () => {
    const session = await openSession({ returnUrl: RETURN_URL });
    const page = await newPage();
    await page.goto(session.url);
    await expect(page.getByRole('heading', { name: 'Your endpoints' })).toBeVisible();
    await client.call('DELETE', `/applications/${applicationId}/portal-sessions/${session.id}`);
    await page.getByRole('link', { name: 'Event catalogue' }).click();
    await page.getByRole('link', { name: 'Activity' }).click();
    await expect(page.getByText('This session has ended')).toBeVisible();
  });

  test('a page of an allowed origin frames it; a page of another one cannot', async () => {
    const { url } = await openSession();
    const allowed = await frameIn(SHOP, url);
    await expect(allowed.frame.getByRole('heading', { name: 'Your endpoints' })).toBeVisible();
    const other = await frameIn('https://other.example', (await openSession()).url);
    await waitFor(() => other.faults.some((text) => text.includes('frame-ancestors')), { what: 'the refusal' });
    await expect(other.frame.getByRole('heading', { name: 'Your endpoints' })).toHaveCount(0);
  });

  test('what the session does not allow is not offered, and its theme is worn', async () => {
    const theme = { mode: 'dark', primaryColor: '#ffcc00' };
    const { url } = await openSession({ capabilities: ['endpoints:read'], theme });
    const page = await newPage(1_200);
    await page.goto(url);
    await expect(page.getByRole('heading', { name: 'Your endpoints' })).toBeVisible();
    await expect(page.getByRole('button', { name: 'Add endpoint' })).toHaveCount(0);
    await expect(page.getByRole('link', { name: 'Messages' })).toHaveCount(0);
    await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', 'dark');
    const accent = await page.evaluate('getComputedStyle(document.documentElement).getPropertyValue("--accent")');
    equal(accent).toBe('#ffcc00');
  });

  test('the verifier finds a genuine request genuine and an altered one not, and sends nothing', async () => {
    const session = await openSession();
    const page = await newPage(1_200);
    await page.goto(session.url);
    await page.getByRole('link', { name: 'Verifier' }).click();
    const sent = receiver.requests.at(-1);
    const headers = Object.entries(sent?.headers ?? {}).map(([name, value]) => `${name}: ${String(value)}`);
    await page.getByLabel('Headers').fill(headers.join('\n'));
    await page.getByLabel('Body').fill(String(sent?.body ?? ''));
    await page.getByRole('combobox', { name: 'or the secret of' }).click();
    await page.getByRole('option').first().click();
    const requests: string[] = [];
    page.on('request', (request) => requests.push(request.url()));
    await page.getByRole('button', { name: 'Check request' }).click();
    await expect(page.getByText('The request is genuine.')).toBeVisible();
    await page.getByLabel('Body').fill('{"altered":true}');
    await page.getByRole('button', { name: 'Check request' }).click();
    await expect(page.getByText('Wrong secret, or the body was altered.')).toBeVisible();
    equal(requests).toEqual([]);
  });
});
