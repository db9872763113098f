import { afterAll, afterEach, describe, expect as equal } from '@jest/globals';
import type { Browser, Locator, Page } from '@playwright/test';
import { type ApiClient, createApiClient } from '@posthorn/testkit/api-client';
import { createIngest } from '@posthorn/testkit/ingest-client';
import { type Receiver, startReceiver } from '@posthorn/testkit/receiver';
import { waitFor } from '@posthorn/testkit/wait-for';
import { type Services, startServices } from '../services-in-process.ts';
import {
  beforeAll,
  closePages,
  expect,
  HOSTILE,
  inBrowser,
  launchBrowser,
  openTab,
  scriptBytes,
  test,
} from './browser.ts';

const SHOP = 'https://shop.example';
const RETURN_URL = 'https://shop.example/settings';

inBrowser('the customer portal', () => {
  let receiver: Receiver;
  let stack: Services;
  let client: ApiClient;
  let browser: Browser;
  let applicationId: string;

  beforeAll(async () => {
    receiver = await startReceiver();
    receiver.respondWith(() => ({ status: 200, body: HOSTILE }));
    const settings = { SWEEP_INTERVAL_MS: '500', MAX_PAYLOAD_BYTES: '1048576' };
    stack = await startServices({ settings });
    client = createApiClient({ ...stack, baseUrl: stack.api.url });
    const schema = { required: ['id'], properties: { id: { type: 'string', description: `The id ${HOSTILE}` } } };
    const example = { id: 'order_1', total: 1_900 };
    const type = { name: 'order.created', description: HOSTILE, schema, example, publishIn: [stack.environmentId] };
    equal((await client.call('POST', '/event-types', type)).status).toBe(201);
    equal((await client.call('PATCH', '', { portalOrigins: [SHOP] })).status).toBe(200);
    const application = await client.call<{ id: string }>('POST', '/applications', { name: `Bolts & ${HOSTILE}` });
    applicationId = application.body.id;
    browser = await launchBrowser();
  });

  afterEach(() => closePages(browser));
  afterAll(async () => {
    await browser?.close();
    await stack?.stop();
    await receiver?.close();
  });

  const openSession = async (body: object = {}) => {
    const path = `/applications/${applicationId}/portal-sessions`;
    const session = await client.call<{ id: string; url: string; token: string }>('POST', path, body);
    equal(session.status).toBe(201);
    return session.body;
  };

  const publishType = async (name: string) => {
    const body = { name, publishIn: [stack.environmentId] };
    return (await client.call<{ id: string }>('POST', '/event-types', body)).body.id;
  };

  const newPage = async (width = 390) => {
    const context = await browser.newContext({ viewport: { width, height: 844 }, reducedMotion: 'reduce' });
    return context.newPage();
  };

  /** Opens a page of another origin that shows the portal in a frame. */
  const frameIn = async (origin: string, url: string) => {
    const page = await newPage();
    // The stack listens on a loopback address, which a browser asks about before a public page may reach it.
    await page.context().grantPermissions(['local-network-access']);
    const body = `<textarea></textarea><iframe src="${url}" width="380" height="800"></iframe>`;
    await page.route(`${origin}/**`, (route) => route.fulfill({ contentType: 'text/html', body }));
    const faults: string[] = [];
    page.on('console', (message) => faults.push(message.text()));
    await page.goto(`${origin}/webhooks`);
    return { page, faults, frame: page.frameLocator('iframe') };
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
    // The operator may have set a time limit other than the default.
    await expect(page.getByText('An https address that answers quickly.')).toBeVisible();
    await page.getByLabel('Address').fill(new URL('/portal', receiver.url).href);
    await page.getByLabel('Description').fill(HOSTILE);
    await page.getByRole('dialog').getByRole('button', { name: 'Add endpoint' }).click();
    await openTab(page, 'Testing');
    await page.getByRole('button', { name: 'Send test' }).click();
    await expect(page.getByRole('heading', { name: 'Attempt 1' })).toBeVisible();
    await expect(page.getByText(HOSTILE).last()).toBeVisible();
    await page.getByRole('link', { name: 'Event catalogue' }).click();
    await expect(page.getByText(`The id ${HOSTILE}`)).toBeVisible();
    await expect(page.getByText(HOSTILE).last()).toBeVisible();
    await page.getByRole('link', { name: 'Activity' }).click();
    await expect(page.getByText('Endpoint created')).toBeVisible();
    equal(await page.evaluate('"hacked" in window')).toBe(false);
    equal(await page.evaluate('document.documentElement.scrollWidth <= 390')).toBe(true);
  });

  test('a transformation is changed where the session was given that, and nowhere else', async () => {
    const page = await newPage();
    await page.goto((await openSession()).url);
    await page
      .getByRole('link', { name: /\/portal$/ })
      .first()
      .click();
    await expect(page.getByRole('tab', { name: 'Testing' })).toBeVisible();
    await expect(page.getByRole('tab', { name: 'Transformation' })).toHaveCount(0);
    const reading = ['endpoints:read', 'events:test', 'deliveries:read'];
    const capabilities = [...reading, 'endpoints:write', 'transformations:write'];
    await page.goto((await openSession({ capabilities })).url);
    await page
      .getByRole('link', { name: /\/portal$/ })
      .first()
      .click();
    await openTab(page, 'Transformation');
    await page.getByRole('combobox', { name: 'Start from' }).click();
    await page.getByRole('option', { name: 'Flatten to the old shape' }).click();
    await expect(page.getByRole('region', { name: 'Result' }).getByText('"event": "order.created"')).toBeVisible();
    await page.getByRole('button', { name: 'Save transformation' }).click();
    await expect(page.getByText('Saved. It applies to every attempt from now on.')).toBeVisible();
    equal(await page.evaluate('document.documentElement.scrollWidth <= 390')).toBe(true);
    await page.getByRole('button', { name: 'Remove' }).click();
    await expect(page.getByText('Removed.')).toBeVisible();
    const trying = ['endpoints:read', 'transformations:write'];
    await page.goto((await openSession({ capabilities: trying })).url);
    await page
      .getByRole('link', { name: /\/portal$/ })
      .first()
      .click();
    await openTab(page, 'Transformation');
    await expect(page.getByRole('textbox', { name: 'Code' })).toBeVisible();
    await expect(page.getByRole('button', { name: 'Save transformation' })).toHaveCount(0);
  });

  test('an endpoint that a program fetches from is added with its key, and its page shows what waits', async () => {
    const page = await newPage();
    await page.goto((await openSession()).url);
    await page.getByRole('button', { name: 'Add endpoint' }).click();
    await page.getByText('Fetched by a program').click();
    await page.getByLabel('Description').fill('The warehouse');
    await page.getByRole('dialog').getByRole('button', { name: 'Add endpoint' }).click();
    await expect(page.getByText(/^phpl_/)).toBeVisible();
    await page.getByRole('button', { name: 'I have copied it' }).click();
    const keys = page.getByRole('region', { name: 'Pull keys' });
    await expect(keys.getByRole('listitem')).toHaveCount(1);
    await expect(page.getByRole('region', { name: 'Waiting' }).getByText('nothing is due')).toBeVisible();
    await page.getByRole('button', { name: 'Lease 10 now …' }).click();
    await page.getByRole('button', { name: 'Lease 10 now', exact: true }).click();
    await expect(page.getByText('Nothing is due.', { exact: true })).toBeVisible();
    await expect(keys.getByRole('listitem')).toHaveCount(1);
    equal(await page.evaluate('document.documentElement.scrollWidth <= 390')).toBe(true);
  });

  test('the token is in no address and no storage; a reload asks for the link again and leads back', async () => {
    const session = await openSession({ returnUrl: RETURN_URL });
    const page = await newPage();
    const sent: string[] = [];
    page.on('request', (request) => sent.push(request.url().split('#')[0] ?? ''));
    await page.goto(session.url);
    await expect(page.getByRole('heading', { name: 'Your endpoints' })).toBeVisible();
    await page.getByRole('link', { name: 'Messages' }).click();
    await expect(page.getByText('● live')).toBeVisible();
    await page.getByRole('link', { name: 'Event catalogue' }).click();
    equal(await storedBy(page)).not.toContain(session.token);
    equal(sent.some((url) => url.endsWith('/api/portal/live'))).toBe(true);
    equal(sent.filter((url) => url.includes(session.token))).toEqual([]);
    await page.reload();
    await expect(page.getByText('Open the link again')).toBeVisible();
    await expect(page.getByRole('link', { name: 'Go back' })).toHaveAttribute('href', RETURN_URL);
  });

  test('the first page has at most 250 KB of scripts in gzip', async () => {
    const page = await newPage();
    await page.goto((await openSession()).url);
    await expect(page.getByRole('heading', { name: 'Your endpoints' })).toBeVisible();
    equal(await scriptBytes(page)).toBeLessThanOrEqual(250 * 1024);
  });

  test('a session that has ended says so at the next request', async () => {
    const session = await openSession({ returnUrl: RETURN_URL });
    const page = await newPage();
    await page.goto(session.url);
    await expect(page.getByRole('heading', { name: 'Your endpoints' })).toBeVisible();
    await client.call('DELETE', `/applications/${applicationId}/portal-sessions/${session.id}`);
    await page.getByRole('link', { name: 'Event catalogue' }).click();
    await expect(page.getByText('This session has ended')).toBeVisible();
    await expect(page.getByText('Open it again from the site that linked to it.')).toBeVisible();
  });

  test('a page of an allowed origin frames it; a page of another one cannot', async () => {
    const { url } = await openSession();
    const allowed = await frameIn(SHOP, url);
    await expect(allowed.frame.getByRole('heading', { name: 'Your endpoints' })).toBeVisible();
    const other = await frameIn('https://other.example', (await openSession()).url);
    await waitFor(() => other.faults.some((text) => text.includes('frame-ancestors')), { what: 'the refusal' });
    await expect(other.frame.getByRole('heading', { name: 'Your endpoints' })).toHaveCount(0);
  });

  test('a page of an allowed origin is told the height of the portal and the end of its session; nobody else is', async () => {
    const session = await openSession();
    const told = `window.told = []; addEventListener('message', ({ origin, data }) => window.told.push({ origin, ...data }));`;
    const page = await newPage();
    await page.addInitScript(told);
    await page.context().grantPermissions(['local-network-access']);
    const body = `<iframe src="${session.url}" width="380" height="100"></iframe>`;
    await page.route(`${SHOP}/**`, (route) => route.fulfill({ contentType: 'text/html', body }));
    await page.goto(`${SHOP}/webhooks`);
    const read = () => page.evaluate<{ origin: string; type: string; height?: number }[]>('window.told');
    await waitFor(async () => (await read()).some(({ height = 0 }) => height > 150), { what: 'the height' });
    await client.call('DELETE', `/applications/${applicationId}/portal-sessions/${session.id}`);
    await page.frameLocator('iframe').getByRole('link', { name: 'Event catalogue' }).click();
    await waitFor(async () => (await read()).some(({ type }) => type === 'posthorn.portal.ended'), { what: 'the end' });
    equal(new Set((await read()).map(({ origin }) => origin))).toEqual(new Set([new URL(session.url).origin]));
    // A page that is not in a frame is its own parent.
    const alone = await newPage();
    await alone.addInitScript(told);
    await alone.goto((await openSession()).url);
    await expect(alone.getByRole('heading', { name: 'Your endpoints' })).toBeVisible();
    equal(await alone.evaluate('window.told')).toEqual([]);
  });

  test('a text is copied in a frame that may not use the clipboard', async () => {
    const { page, frame } = await frameIn(SHOP, (await openSession()).url);
    await frame.getByRole('link', { name: 'Event catalogue' }).click();
    // The button says so for a second and a half, so the test looks for it before the click has ended.
    await Promise.all([
      frame.getByRole('button', { name: 'Copied the example of order.created' }).waitFor(),
      frame.getByRole('button', { name: 'Copy the example of order.created' }).click(),
    ]);
    await page.locator('textarea').press('ControlOrMeta+V');
    await expect(page.locator('textarea')).toHaveValue(JSON.stringify({ id: 'order_1', total: 1_900 }, null, 2));
  });

  test('what the session does not allow is not offered, and its theme is worn', async () => {
    const look = { fontFamily: 'Georgia', radius: 2, css: '--surface-sunken: rgb(1 2 3); --line: #445566' };
    const theme = { mode: 'dark', primaryColor: '#ffcc00', ...look };
    const { url } = await openSession({ capabilities: ['endpoints:read'], theme });
    const page = await newPage(1_200);
    await page.goto(url);
    await expect(page.getByRole('heading', { name: 'Your endpoints' })).toBeVisible();
    await expect(page.getByRole('link', { name: new URL('/portal', receiver.url).href })).toBeVisible();
    await expect(page.getByRole('button', { name: 'Add endpoint' })).toHaveCount(0);
    await expect(page.getByRole('link', { name: 'Messages' })).toHaveCount(0);
    await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', 'dark');
    const accent = await page.evaluate('getComputedStyle(document.documentElement).getPropertyValue("--accent")');
    equal(accent).toBe('#ffcc00');
    const worn = await page.evaluate<string[]>(
      `['--surface-sunken', '--line', '--mantine-radius-default', '--mantine-font-family'].map((name) => getComputedStyle(document.documentElement).getPropertyValue(name))`,
    );
    equal(worn).toEqual(['rgb(1 2 3)', '#445566', equal.any(String), equal.stringMatching(/^"Georgia", /)]);
  });

  test('a session that may read deliveries alone is offered no page and no filter that it may not read', async () => {
    const page = await newPage(1_200);
    await page.goto((await openSession({ capabilities: ['deliveries:read'] })).url);
    await expect(page.getByRole('heading', { level: 1, name: 'Messages' })).toBeVisible();
    const links = page.getByRole('navigation', { name: 'Pages' }).getByRole('link');
    await expect(links).toHaveText(['Messages', 'Statistics', 'Verifier']);
    await expect(page.getByRole('combobox', { name: 'Event type' })).toHaveCount(0);
  });

  test('the verifier finds a genuine request genuine and an altered one not, and sends nothing', async () => {
    // The page refuses a request that is older than five minutes.
    const { body: endpoints } = await client.call<{ id: string }[]>('GET', `/applications/${applicationId}/endpoints`);
    equal((await client.call('POST', `/endpoints/${endpoints[0]?.id}/test`, {})).status).toBe(200);
    const session = await openSession();
    const page = await newPage(1_200);
    await page.goto(session.url);
    await page.getByRole('link', { name: 'Verifier' }).click();
    const sent = receiver.requests.at(-1);
    const headers = Object.entries(sent?.headers ?? {}).map(([name, value]) => `${name}: ${String(value)}`);
    await page.getByLabel('Headers').fill(headers.join('\n'));
    await page.getByLabel('Body').fill(String(sent?.body ?? ''));
    await page.getByRole('combobox', { name: 'or the one of' }).click();
    await page.getByRole('option').first().click();
    const requests: string[] = [];
    page.on('request', (request) => requests.push(request.url()));
    await page.getByRole('button', { name: 'Check request' }).click();
    await expect(page.getByText('The request is genuine.')).toBeVisible();
    await page.getByLabel('Received at').fill('soon');
    await expect(page.getByText('This is not a time.')).toBeVisible();
    await expect(page.getByRole('button', { name: 'Check request' })).toBeDisabled();
    await page.getByLabel('Received at').fill('');
    await page.getByLabel('Body').fill('{"altered":true}');
    await page.getByRole('button', { name: 'Check request' }).click();
    await expect(page.getByText('Wrong secret, or the body was altered.')).toBeVisible();
    equal(requests).toEqual([]);
  });

  test('the endpoints of a customer with many are read for 100 of them at a time, as far as they are scrolled', async () => {
    const application = await client.call<{ id: string }>('POST', '/applications', { name: 'Many endpoints' });
    const path = `/applications/${application.body.id}`;
    const { environmentId } = stack;
    for (let made = 0; made < 110; made += 10) {
      const urls = Array.from({ length: 10 }, (_, index) => `https://127.0.0.1/${made + index}`);
      await Promise.all(urls.map((url) => client.call('POST', `${path}/endpoints`, { url, environmentId })));
    }
    const page = await newPage(1_200);
    const reads: URLSearchParams[] = [];
    page.on('request', (request) => {
      const { pathname, searchParams } = new URL(request.url());
      if (pathname === '/api/portal/endpoints') reads.push(searchParams);
    });
    await page.goto((await client.call<{ url: string }>('POST', `${path}/portal-sessions`, {})).body.url);
    await expect(page.getByRole('link', { name: '127.0.0.1/0', exact: false }).first()).toBeVisible();
    equal(reads.map((read) => [read.get('limit'), read.has('cursor')])).toEqual([['100', false]]);
    const last = page.getByRole('link', { name: 'https://127.0.0.1/109' });
    const scrolled = async () => {
      await page.mouse.wheel(0, 100_000);
      return last.isVisible();
    };
    await waitFor(scrolled, { what: 'the last endpoint' });
    equal(reads.map((read) => [read.get('limit'), read.has('cursor')])).toEqual([
      ['100', false],
      ['100', true],
    ]);
  });

  test('the messages of a rarer type are found behind more messages of another type than a page searches', async () => {
    const application = await client.call<{ id: string }>('POST', '/applications', { name: 'Many messages' });
    for (const name of ['log.line', 'invoice.paid', 'invoice.voided']) await publishType(name);
    const sendAll = async (types: readonly string[]) => {
      const events = types.map((eventType) => ({ eventType, applicationId: application.body.id, data: {} }));
      equal((await createIngest(stack)('batch', JSON.stringify({ events }))).status).toBe(202);
    };
    await sendAll(['invoice.paid', 'invoice.voided']);
    // The first page searches one of these batches, the second page at least one more, and the third page the rest.
    for (let sent = 0; sent < 3; sent += 1) await sendAll(Array.from({ length: 100 }, () => 'log.line'));
    await sendAll(['invoice.paid']);
    const page = await newPage(1_200);
    const path = `/applications/${application.body.id}/portal-sessions`;
    await page.goto((await client.call<{ url: string }>('POST', path, {})).body.url);
    await page.getByRole('link', { name: 'Messages', exact: true }).click();
    const list = page.getByRole('table', { name: 'Messages' });
    const choose = async (type: string) => {
      await page.getByRole('combobox', { name: 'Event type' }).click();
      await page.getByRole('option', { name: type }).click();
    };

    const isRead = page.waitForResponse((answer) => /event_type=invoice\.paid.*cursor=/.test(answer.url()));
    await choose('invoice.paid');
    await isRead;
    await expect(list.getByRole('link', { name: 'invoice.paid' })).toHaveCount(1);
    await page.getByRole('button', { name: 'Load older ones' }).click();
    await expect(list.getByRole('link', { name: 'invoice.paid' })).toHaveCount(2);

    await choose('invoice.voided');
    await expect(page.getByText('None of the newest 100 matches these filters')).toBeVisible();
    await page.getByRole('button', { name: 'Search older ones' }).click();
    await expect(page.getByText('None of the newest 200 matches these filters')).toBeVisible();
    await page.getByRole('button', { name: 'Search older ones' }).click();
    await expect(list.getByRole('link', { name: 'invoice.voided' })).toHaveCount(1);
  });

  test('a message is found by a value of it, two keystrokes after the value was copied; the address does not have it', async () => {
    const name = 'parcel.sent';
    const searchKeys = [{ name: 'parcel_id', path: 'parcel.id' }];
    await client.call('POST', '/event-types', { name, searchKeys, publishIn: [stack.environmentId] });
    const send = async (id: string) => {
      const event = JSON.stringify({ parcel: { id } });
      const { body } = await createIngest(stack)(`event/${name}`, event, {
        'content-type': 'application/json',
        'x-application-id': applicationId,
      });
      return String(body.id);
    };
    const wanted = await send('p_1002');
    await send('p_1003');
    const page = await newPage(1_200);
    await page.goto((await openSession()).url);
    await page.getByRole('link', { name: 'Messages', exact: true }).click();
    const messages = page.getByRole('table', { name: 'Messages' }).getByRole('link', { name });
    await expect(messages).toHaveCount(2);
    const addresses: string[] = [];
    page.on('request', (request) => addresses.push(request.url()));
    await page.keyboard.press('/');
    // This is how a paste arrives.
    await page.keyboard.insertText('p_1002');
    await expect(messages).toHaveCount(1);
    await expect(page.getByText(wanted)).toBeVisible();
    await page.getByRole('combobox', { name: 'Event type' }).click();
    await page.getByRole('option', { name }).click();
    await messages.click();
    await expect(page.getByRole('heading', { level: 1, name })).toBeVisible();
    await page.goBack();
    await expect(messages).toHaveCount(1);
    await expect(page.getByRole('textbox', { name: 'Contains' })).toHaveValue('p_1002');
    await expect(page.getByRole('combobox', { name: 'Event type' })).toHaveValue(name);
    equal([...addresses, page.url()].filter((address) => address.includes('p_1002'))).toEqual([]);
    await page.getByRole('textbox', { name: 'Contains' }).fill('p_1004');
    await expect(page.getByText('Nothing matches these filters')).toBeVisible();
  });

  describe('with an endpoint that subscribes', () => {
    let endpointId: string;
    let endpointUrl: string;

    beforeAll(async () => {
      endpointUrl = new URL('/customer', receiver.url).href;
      const types = await client.call<{ id: string }[]>('GET', '/event-types');
      const endpoint = await client.call<{ id: string }>('POST', `/applications/${applicationId}/endpoints`, {
        url: endpointUrl,
        description: HOSTILE,
        environmentId: stack.environmentId,
        config: { retrySchedule: [], headers: { 'x-note': '<script>hacked=1</script>' } },
      });
      equal(endpoint.status).toBe(201);
      endpointId = endpoint.body.id;
      const eventTypeIds = types.body.map(({ id }) => id);
      await client.call('POST', `/endpoints/${endpointId}/subscriptions`, { eventTypeIds });
    });

    const openEndpoint = async (tab: string, { url }: { url: string }) => {
      const page = await newPage(1_200);
      await page.goto(url);
      await page.getByRole('link', { name: endpointUrl }).click();
      await openTab(page, tab);
      return page;
    };

    const send = (body: object, type = 'order.created') =>
      createIngest(stack)(`event/${type}`, JSON.stringify(body), {
        'content-type': 'application/json',
        'x-application-id': applicationId,
      });

    /**
     * Sends until the message is shown: a busy dispatcher may learn of a new live view too late for the first message.
     */
    const sendUntilShown = (shown: Locator, body: object, type?: string) => {
      const isShown = async () => {
        await send(body, type);
        await shown.waitFor({ timeout: 5_000 });
        return true;
      };
      return waitFor(isShown, { what: 'a message in the live view', timeoutMs: 60_000 });
    };

    const awaitDead = (eventId: unknown) => {
      const list = `/endpoints/${endpointId}/deliveries?status=dead_letter`;
      const isDead = async () => {
        const { body } = await client.call<{ deliveries: { eventId: string }[] }>('GET', list);
        return body.deliveries.some((one) => one.eventId === eventId);
      };
      return waitFor(isDead, { what: 'the delivery to be given up' });
    };

    test('a message appears in the live view, and its body is a sample for the filter', async () => {
      receiver.respondWith(() => ({ status: 200 }));
      const page = await openEndpoint('Overview', await openSession());
      await expect(page.getByText('● connected')).toBeVisible();
      const delivered = page.getByRole('region', { name: 'Live messages' }).getByText('Delivered').first();
      await sendUntilShown(delivered, { id: 'order_2', total: 2_500, note: HOSTILE });

      await openTab(page, 'Subscriptions');
      await page.getByRole('button', { name: 'Filter of order.created' }).click();
      const filter = page.getByRole('textbox', { name: 'Filter', exact: true });
      await filter.fill('{\n  "total": { "gte": true }\n}');
      await expect(page.getByText(/^Line 2: filter\.total\.gte must be a number or a string/)).toBeVisible();
      await filter.fill('{"total": {"gte": 2000}}');
      await expect(page.getByText('the sample has 1900')).toBeVisible();
      await expect(page.getByText('The sample does not match.')).toBeVisible();
      await page.getByRole('combobox', { name: 'Tested with' }).click();
      await page.getByRole('option', { name: /^msg_/ }).first().click();
      await expect(page.getByText('The sample matches.')).toBeVisible();
      await expect(page.getByText('total is at least 2000')).toBeVisible();
      await page.getByRole('button', { name: 'Save filter' }).click();
      await expect(page.getByText('only when total is at least 2000')).toBeVisible();
      const one = page.getByRole('switch', { name: 'Messages of order.created' });
      await expect(one).toBeEnabled();
      await one.press('Space');
      await expect(one).not.toBeChecked();
      const undo = page.getByRole('button', { name: 'Undo' });
      await undo.click();
      await expect(page.getByText('only when total is at least 2000')).toBeVisible();
      const all = page.getByRole('switch', { name: 'All messages' });
      // With the keyboard, because the page may still move under a click.
      await expect(all).toBeEnabled();
      await all.press('Space');
      await expect(all).toBeChecked();
      const kept = await client.call<{ eventTypePatterns: object[] }>('GET', `/endpoints/${endpointId}`);
      equal(kept.body.eventTypePatterns).toEqual([{ pattern: '*', filter: null }]);
      await expect(all).toBeEnabled();
      await all.press('Space');
      await expect(all).not.toBeChecked();
      await expect(undo).toHaveCount(0);
      const eventTypePatterns = [{ pattern: '*', filter: { total: { gte: 3_000 } } }];
      equal((await client.call('PATCH', `/endpoints/${endpointId}`, { eventTypePatterns })).status).toBe(200);
      const again = await openEndpoint('Subscriptions', await openSession());
      const allAgain = again.getByRole('switch', { name: 'All messages' });
      await expect(allAgain).toBeChecked();
      await allAgain.press('Space');
      await expect(allAgain).not.toBeChecked();
      await again.getByRole('button', { name: 'Undo' }).click();
      await expect(allAgain).toBeChecked();
      const back = await client.call<{ eventTypePatterns: object[] }>('GET', `/endpoints/${endpointId}`);
      equal(back.body.eventTypePatterns).toEqual(eventTypePatterns);
      equal((await client.call('PATCH', `/endpoints/${endpointId}`, { eventTypePatterns: [] })).status).toBe(200);
      equal(await page.evaluate('"hacked" in window')).toBe(false);
    });

    test('new messages of other types than the chosen one are not counted', async () => {
      receiver.respondWith(() => ({ status: 200 }));
      const eventTypeIds = [await publishType('order.refunded')];
      await client.call('POST', `/endpoints/${endpointId}/subscriptions`, { eventTypeIds });
      await send({ id: 'order_0', total: 2_500 });
      // Otherwise the message could come after the list was read, and count as new.
      const hasArrived = () => receiver.requests.some(({ body }) => body.includes('order_0'));
      await waitFor(hasArrived, { what: 'the first message' });
      const page = await newPage(1_200);
      await page.goto(`${(await openSession()).url}`);
      await page.getByRole('link', { name: 'Messages', exact: true }).click();
      await expect(page.getByText('● live')).toBeVisible();
      const button = page.getByRole('button', { name: /^Show .* new$/ });
      await sendUntilShown(button, { id: 'order_1' }, 'order.refunded');
      await page.getByRole('combobox', { name: 'Event type' }).click();
      const isFiltered = page.waitForResponse((answer) => answer.url().includes('event_type=order.created'));
      await page.getByRole('option', { name: 'order.created' }).click();
      await (await isFiltered).finished();
      await expect(page.getByText('● live')).toBeVisible();
      await send({ id: 'order_2', total: 2_500 });
      await expect(button).toHaveText('Show 1 new');
    });

    test('OAuth 2 can be set and, after a question, removed, its secret is never shown, and a certificate that cannot be read is told with its line', async () => {
      const page = await openEndpoint('Settings', await openSession());
      await page.getByRole('button', { name: /^OAuth 2/ }).click();
      const oauth = page.getByRole('region', { name: 'OAuth 2' });
      await oauth.getByLabel('Token URL').fill('https://localhost:8443/token');
      await oauth.getByLabel('Client id').fill('posthorn');
      await oauth.getByRole('textbox', { name: 'Client secret' }).fill('hunter3');
      await oauth.getByRole('button', { name: 'Save OAuth 2' }).click();
      await expect(oauth.getByText('Saved.')).toBeVisible();
      await expect(oauth.getByText('Every request has a token from https://localhost:8443/token.')).toBeVisible();
      equal(await page.content()).not.toContain('hunter3');
      await oauth.getByRole('button', { name: 'Remove OAuth 2' }).click();
      const asked = page.getByRole('dialog', { name: 'Remove OAuth 2?' });
      await asked.getByRole('button', { name: 'Remove OAuth 2' }).click();
      await expect(oauth.getByText('None. With OAuth 2')).toBeVisible();
      await page.getByRole('button', { name: /^TLS/ }).click();
      const tls = page.getByRole('region', { name: 'TLS' });
      await tls.getByLabel('Certificate authority (PEM)').fill('-----BEGIN CERTIFICATE-----');
      await tls.getByRole('button', { name: 'Save TLS' }).click();
      const problem = /no end of the certificate that begins in line 1/;
      await expect(tls.getByLabel('Certificate authority (PEM)')).toHaveAccessibleDescription(problem);
      await expect(tls.getByText(problem)).toHaveCount(1);
    });

    test('the preview follows the form that is chosen, and a public key can be copied once it is saved', async () => {
      const page = await openEndpoint('Settings', await openSession());
      const preview = page.getByRole('region', { name: 'This is what will be sent' });
      await page.getByText('CloudEvents', { exact: true }).click();
      const source = `/workspaces/${stack.workspaceId}/environments/${stack.environmentId}`;
      await expect(preview.getByText(`"source": "${source}"`)).toBeVisible();
      await page.getByText('Envelope', { exact: true }).click();
      await page.getByRole('combobox', { name: 'Signature' }).click();
      await page.getByRole('option', { name: 'HMAC and Ed25519' }).click();
      await expect(preview.getByText('"timestamp":')).toBeVisible();
      await expect(preview.getByText(/webhook-signature: v1,.* v1a,/)).toBeVisible();
      // A change that the sender saves meanwhile must stay.
      const theirs = { retrySchedule: [], timeoutSeconds: 9 };
      equal((await client.call('PATCH', `/endpoints/${endpointId}`, { config: theirs })).status).toBe(200);
      await page.getByRole('button', { name: 'Save', exact: true }).click();
      await expect(page.getByText('Saved.')).toBeVisible();
      const signature = 'standard-ed25519';
      const withBody = { config: { ...theirs, payloadFormat: 'cloudevents', signature } };
      equal((await client.call('PATCH', `/endpoints/${endpointId}`, withBody)).status).toBe(200);
      await page.getByRole('combobox', { name: 'Signature' }).click();
      await page.getByRole('option', { name: 'HMAC-SHA256' }).click();
      await page.getByRole('button', { name: 'Save', exact: true }).click();
      await expect(page.getByText('Saved.')).toBeVisible();
      equal((await client.call('GET', `/endpoints/${endpointId}`)).body).toMatchObject({
        config: { payloadFormat: 'cloudevents' },
      });
      await page.getByText('Envelope', { exact: true }).click();
      await page.getByRole('combobox', { name: 'Signature' }).click();
      await page.getByRole('option', { name: 'HMAC and Ed25519' }).click();
      await page.getByRole('button', { name: 'Save', exact: true }).click();
      await expect(page.getByText('Saved.')).toBeVisible();
      equal((await client.call('GET', `/endpoints/${endpointId}`)).body).toMatchObject({
        config: { ...theirs, payloadFormat: 'envelope', signature: 'standard-ed25519' },
      });
      await page.getByRole('button', { name: /^Secret headers/ }).click();
      await page.getByLabel('Name').fill('X-Api-Key');
      await page.getByRole('textbox', { name: 'Value' }).fill('hunter2');
      await page.getByRole('button', { name: 'Set header' }).click();
      await expect(page.getByText('value set')).toBeVisible();
      await expect(page.getByRole('textbox', { name: 'Value' })).toHaveValue('');
      equal(await page.content()).not.toContain('hunter2');
      // What is typed meanwhile stays, also when another header is removed after a question.
      await page.getByLabel('Name').fill('X-Team');
      await page.getByRole('button', { name: 'Remove X-Api-Key' }).click();
      const asked = page.getByRole('dialog', { name: 'Remove X-Api-Key?' });
      await asked.getByRole('button', { name: 'Cancel' }).click();
      await expect(asked).toHaveCount(0);
      await expect(page.getByText('value set')).toBeVisible();
      await page.getByRole('button', { name: 'Remove X-Api-Key' }).click();
      await asked.getByRole('button', { name: 'Remove', exact: true }).click();
      await expect(page.getByText('value set')).toHaveCount(0);
      await expect(page.getByLabel('Name')).toHaveValue('X-Team');
      await openTab(page, 'Secret');
      await expect(page.getByText(/^whpk_/)).toBeVisible();
      await client.call('PATCH', `/endpoints/${endpointId}`, { config: { retrySchedule: [] } });
    });

    test('a recovery is counted before it starts, and its progress is there after a reload', async () => {
      receiver.respondWith(() => ({ status: 503, headers: { 'x-note': '<b>hacked</b>' }, body: HOSTILE }));
      // The response is held while the page is loaded again.
      await client.call('PATCH', `/endpoints/${endpointId}`, { config: { retrySchedule: [], timeoutSeconds: 30 } });
      await awaitDead((await send({ id: 'order_3', total: 3_000 })).body.id);

      const session = await openSession();
      const page = await openEndpoint('Overview', session);
      await page.getByRole('button', { name: 'Recover …' }).click();
      const recover = page.getByRole('button', { name: 'Recover 1 message' });
      await expect(recover).toBeEnabled();
      let release: () => void = () => undefined;
      const released = new Promise<void>((resolve) => {
        release = resolve;
      });
      const before = receiver.requests.length;
      receiver.respondWith(async () => {
        await released;
        return {};
      });
      await recover.click();
      const progress = page.getByRole('region', { name: 'Recovery' });
      await expect(progress.getByText('Recovery: running')).toBeVisible();
      await waitFor(() => receiver.requests.length > before, { what: 'the recovered delivery' });
      await page.reload();
      await expect(page.getByText('Open the link again')).toBeVisible();
      await page.goto(session.url);
      await expect(progress.getByText('Recovery: running')).toBeVisible();
      release();
      await expect(progress.getByText('1 of 1 enqueued, 1 delivered, 0 failed.')).toBeVisible();
    });

    test('a session without the right is offered no recovery, no change and no test, and a forced call is refused', async () => {
      const capabilities = ['endpoints:read', 'deliveries:read'];
      const session = await openSession({ capabilities });
      const page = await openEndpoint('Subscriptions', session);
      await expect(page.getByText('order.created', { exact: true })).toBeVisible();
      for (const name of ['Recover …', 'Edit', 'Delete …', 'Filter of order.created']) {
        await expect(page.getByRole('button', { name })).toHaveCount(0);
      }
      await expect(page.getByRole('tab', { name: 'Testing' })).toHaveCount(0);
      await openTab(page, 'Settings');
      await expect(page.getByRole('button', { name: /Save|Set header/ })).toHaveCount(0);
      const forced = { recover: { since: new Date(0).toISOString(), mode: 'all' }, test: {}, doctor: {} };
      for (const [action, body] of Object.entries(forced)) {
        const answer = await fetch(`${stack.api.url}/api/portal/endpoints/${endpointId}/${action}`, {
          method: 'POST',
          headers: { authorization: `Bearer ${session.token}`, 'content-type': 'application/json' },
          body: JSON.stringify(body),
        });
        equal(answer.status).toBe(403);
      }
    });

    test('a body with a line of 1 MB and an answer with markup are shown as text', async () => {
      receiver.respondWith(() => ({ status: 503, headers: { 'x-note': '<b>hacked</b>' }, body: HOSTILE }));
      const sent = await send({ total: 9_000, note: HOSTILE, line: 'x'.repeat(1_000_000) });
      equal(sent.status).toBe(202);
      // The list does not refresh itself.
      await awaitDead(sent.body.id);
      const page = await openEndpoint('Messages', await openSession());
      const list = page.getByRole('table', { name: 'Messages to this endpoint' });
      await expect(list.getByText('Dead letter').first()).toBeVisible();
      await page.getByRole('link', { name: 'order.created' }).first().click();
      await expect(page.getByText('<b>hacked</b>')).toBeVisible();
      await expect(page.getByText(/onerror=.*⟨U\+202E⟩gnp\.exe/)).toBeVisible();
      await page.getByRole('link', { name: /^msg_/ }).click();
      await page.getByRole('button', { name: 'Show payload' }).click();
      await expect(page.getByText(/more characters are not shown/)).toBeVisible();
      await page.getByRole('region', { name: 'Your endpoints' }).getByRole('link', { name: endpointUrl }).click();
      await expect(page.getByRole('heading', { name: 'Attempt 1' })).toBeVisible();
      equal(await page.evaluate('"hacked" in window')).toBe(false);
      equal(await page.evaluate('document.documentElement.scrollWidth <= 1200')).toBe(true);
    });

    /** Adds another endpoint of the customer, with an event type that only it subscribes to. */
    const addEndpoint = async (name: string, config: object) => {
      const url = new URL(`/${name}`, receiver.url).href;
      const body = { url, environmentId: stack.environmentId, config };
      const endpoint = await client.call<{ id: string }>('POST', `/applications/${applicationId}/endpoints`, body);
      equal(endpoint.status).toBe(201);
      const eventTypeIds = [await publishType(`${name}.changed`)];
      await client.call('POST', `/endpoints/${endpoint.body.id}/subscriptions`, { eventTypeIds });
      return { id: endpoint.body.id, url, type: `${name}.changed` };
    };

    type Row = { id: string; eventId: string; status: string; nextRetryAt: string | null; waitingFor: string | null };

    const awaitDelivery = (id: string, what: string, isIt: (row: Row) => boolean) =>
      waitFor(
        async () => {
          const { body } = await client.call<{ deliveries: Row[] }>('GET', `/endpoints/${id}/deliveries`);
          return body.deliveries.find(isIt);
        },
        { what },
      );

    /** Opens a view of the portal. */
    const openView = async (view: string) => {
      const page = await newPage(1_200);
      await page.goto((await openSession()).url);
      await expect(page.getByRole('heading', { name: 'Your endpoints' })).toBeVisible();
      await page.evaluate(`location.hash = ${JSON.stringify(view)}`);
      return page;
    };

    test('an endpoint that was deactivated says so and is activated again; without that right the sender is asked; no page names the product', async () => {
      receiver.respondWith(() => ({ status: 410 }));
      const { id, type, url } = await addEndpoint('gone', {});
      await send({}, type);
      const delivery = await awaitDelivery(id, 'the delivery to fail', ({ status }) => status === 'failed');
      const page = await openView(`#deliveries/${delivery.id}`);
      const shown: string[] = [];
      const read = async () => shown.push(await page.evaluate<string>('document.body.innerText'));
      await expect(page.getByText(/^The endpoint answered 410 Gone and was deactivated\. Activate it/)).toBeVisible();
      await expect(page.getByRole('heading', { name: 'Attempt 1' })).toBeVisible();
      await read();
      await page.getByRole('link', { name: 'Activity' }).click();
      await expect(page.getByText('The sender’s system').first()).toBeVisible();
      await expect(page.getByRole('link', { name: url }).first()).toBeVisible();
      await read();
      for (const name of ['Event catalogue', 'Messages', 'Statistics', 'Verifier']) {
        await page.getByRole('link', { name, exact: true }).click();
        await expect(page.getByRole('heading', { level: 1, name })).toBeVisible();
        await read();
      }
      await page.evaluate(`location.hash = '#endpoints/${id}'`);
      const alert = page.getByText('It gets no messages.');
      await expect(alert).toBeVisible();
      await expect(page.getByText(/because it answered 410 Gone\. Activate it when it works again/)).toBeVisible();
      for (const tab of ['Subscriptions', 'Testing', 'Messages', 'Secret', 'Settings']) {
        await openTab(page, tab);
        await read();
      }
      // The header that a receiver gets has the name and version of the product.
      equal(shown.filter((text) => /posthorn(?!\/)/i.test(text))).toEqual([]);

      const capabilities = ['endpoints:read', 'deliveries:read', 'deliveries:retry'];
      const other = await newPage(1_200);
      await other.goto((await openSession({ capabilities })).url);
      await other.getByRole('link', { name: url }).click();
      await other.getByRole('button', { name: 'Recover …' }).click();
      await expect(other.getByRole('dialog').getByText('Ask the sender to activate it.')).toBeVisible();

      await page.getByRole('button', { name: 'Activate' }).click();
      await expect(alert).toHaveCount(0);
      const { body } = await client.call<{ isActive: boolean }>('GET', `/endpoints/${id}`);
      equal(body.isActive).toBe(true);
    });

    test('a test is marked on its page and no retry is offered; the form names the endpoint’s own time limit', async () => {
      receiver.respondWith(() => ({ status: 503 }));
      const { id } = await addEndpoint('tested', { timeoutSeconds: 5 });
      equal((await client.call('POST', `/endpoints/${id}/test`, { payload: {} })).status).toBe(200);
      const delivery = await awaitDelivery(id, 'the test', ({ status }) => status === 'dead_letter');
      const page = await openView(`#deliveries/${delivery.id}`);
      await expect(page.getByRole('heading', { level: 1 })).toHaveText('Message without a typetest');
      await expect(page.getByText(/^The test failed, and a test is sent once\./)).toBeVisible();
      await expect(page.getByRole('button', { name: 'Retry' })).toHaveCount(0);
      await page.evaluate(`location.hash = '#endpoints/${id}'`);
      await page.getByRole('button', { name: 'Edit' }).click();
      await expect(page.getByText('An https address that answers within 5 seconds.')).toBeVisible();
    });

    test('a message that no endpoint gets says whether it is not sent yet, was cancelled or matched none', async () => {
      const type = 'parcel.lost';
      await publishType(type);
      const deliverAt = new Date(Date.now() + 7_200_000).toISOString();
      const scheduled = await createIngest(stack)(`event/${type}`, '{}', {
        'content-type': 'application/json',
        'x-application-id': applicationId,
        'x-deliver-at': deliverAt,
      });
      const page = await openView(`#messages/${scheduled.body.id}`);
      await expect(page.getByText('It will be sent at its time.')).toBeVisible();
      await expect(page.getByText('Will be sent', { exact: true })).toBeVisible();
      equal((await client.call('POST', `/events/${scheduled.body.id}/cancel`, {})).status).toBe(200);
      // The page refreshes itself.
      await expect(page.getByText('It was cancelled before it was sent.')).toBeVisible();
      const unmatched = await send({}, type);
      await page.evaluate(`location.hash = '#messages/${unmatched.body.id}'`);
      await expect(page.getByText(/^No endpoint of yours matched when it was sent\./)).toBeVisible();
    });

    test('a message that waits says for what: another one of its key, or a limit of the endpoint', async () => {
      receiver.respondWith(() => ({ status: 503 }));
      const ordered = await addEndpoint('ordered', { ordering: 'fifo', retrySchedule: [3_600] });
      const inOrder = { 'x-application-id': applicationId, 'x-ordering-key': 'customer-42' };
      for (let sent = 0; sent < 2; sent += 1) await createIngest(stack)(`event/${ordered.type}`, '{}', inOrder);
      const second = await awaitDelivery(ordered.id, 'one to wait', ({ waitingFor }) => waitingFor !== null);
      const page = await openView(`#deliveries/${second.id}`);
      await expect(page.getByText(/^It waits for its turn: the messages of its ordering key/)).toBeVisible();
      await page.getByRole('link', { name: 'See the message that it waits for' }).click();
      await expect(page.getByRole('heading', { name: 'Attempt 1' })).toBeVisible();

      receiver.respondWith(() => ({}));
      const limited = await addEndpoint('limited', { rateLimit: { limit: 1, periodSeconds: 3_600 } });
      for (let sent = 0; sent < 2; sent += 1) await send({}, limited.type);
      const isDeferred = ({ status, nextRetryAt }: Row) => status === 'pending' && nextRetryAt !== null;
      const deferred = await awaitDelivery(limited.id, 'one to be deferred', isDeferred);
      await page.evaluate(`location.hash = '#deliveries/${deferred.id}'`);
      await expect(page.getByText(/^The endpoint has a limit: at most 1 attempt in 3,600 s\./)).toBeVisible();
    });

    test('statistics count what arrived, over all endpoints', async () => {
      const page = await newPage(1_200);
      await page.goto((await openSession()).url);
      await page.getByRole('link', { name: 'Statistics' }).click();
      await expect(page.getByText('Arrived', { exact: true })).toBeVisible();
      await expect(page.getByRole('table', { name: 'Attempts, last 24 h' })).toBeAttached();
    });
  });
});
