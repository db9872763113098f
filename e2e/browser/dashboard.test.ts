import { afterAll, afterEach, expect as equal } from '@jest/globals';
import type { Browser, Page } from '@playwright/test';
import { fromId, newUuid } from '@posthorn/contract/ids';
import { type ApiClient, createApiClient } from '@posthorn/testkit/api-client';
import { createIngest } from '@posthorn/testkit/ingest-client';
import { type Receiver, startReceiver } from '@posthorn/testkit/receiver';
import { seedSession } from '@posthorn/testkit/session';
import { waitFor } from '@posthorn/testkit/wait-for';
import { type Services, startServices } from '../services-in-process.ts';
import {
  addPerson,
  awaitContent,
  beforeAll,
  closePages,
  expect,
  HOSTILE,
  inBrowser,
  type Login,
  launchBrowser,
  logIn,
  scriptBytes,
  showPage,
  test,
  visitPage,
} from './browser.ts';

inBrowser('the dashboard', () => {
  let receiver: Receiver;
  let stack: Services;
  let client: ApiClient;
  let browser: Browser;
  let owner: Login;
  let session: string;
  let endpointUrl: string;

  beforeAll(async () => {
    receiver = await startReceiver();
    const settings = { RETRY_SCHEDULE: '3600', SWEEP_INTERVAL_MS: '500', MAX_PAYLOAD_BYTES: '1048576' };
    stack = await startServices({ settings });
    client = createApiClient({ ...stack, baseUrl: stack.api.url });
    owner = await addPerson(stack, 'owner');
    session = await seedSession(stack.db, { workspaceId: stack.workspaceId, role: 'owner' });
    receiver.respondWith(() => ({ status: 503, body: HOSTILE }));
    endpointUrl = new URL('/hooks', receiver.url).href;
    await client.subscribeEndpoint({ url: endpointUrl, eventType: 'order.created' });
    await createIngest(stack)('event/order.created', JSON.stringify({ id: 'order_1', note: HOSTILE }));
    const refused = async () => {
      const { body } = await client.call<{ deliveries: unknown[] }>('GET', '/deliveries?status=scheduled_retry');
      return body.deliveries.length === 1;
    };
    await waitFor(refused, { what: 'the first attempt' });
    browser = await launchBrowser();
  });

  afterEach(() => closePages(browser));
  afterAll(async () => {
    await browser?.close();
    await stack?.stop();
    await receiver?.close();
  });

  /**
   * Holds the next request of a method until `release` sends or fails it. `asked` resolves when the request was made.
   */
  const holdRequests = async (page: Page, method: string) => {
    let release: (answer: 'continue' | 'abort') => void = () => undefined;
    const released = new Promise<'continue' | 'abort'>((resolve) => {
      release = resolve;
    });
    const asked = page.waitForRequest((request) => request.method() === method);
    await page.route('**/api/**', async (route) => {
      if (route.request().method() !== method) return route.fallback();
      return route[await released]();
    });
    return { asked, release };
  };

  const visit = (path: string, as?: string) => visitPage(browser, stack.api.url + path, as);

  test('from the login over the endpoints to a delivery, without a fault or a request to another origin', async () => {
    const { page, faults } = await visit('/');
    await logIn(page, owner);
    await page.getByRole('link', { name: 'Endpoints' }).click();
    await page.getByRole('link', { name: endpointUrl }).click();
    await page.getByRole('link', { name: 'order.created' }).click();
    await expect(page.getByRole('heading', { name: 'Attempt 1' })).toBeVisible();
    await expect(page.getByText('The endpoint answered 503.')).toBeVisible();
    await page.getByRole('button', { name: 'Show payload' }).click();
    await expect(page.getByText('"id": "order_1"')).toBeVisible();
    await page.getByRole('textbox', { name: 'Search in the payload' }).fill('ORDER_');
    await expect(page.locator('mark')).toHaveText(['order_']);
    await page.getByRole('textbox', { name: 'Search in the payload' }).fill('');
    await expect(page.locator('mark')).toHaveCount(0);
    await expect(page.getByText('"id": "order_1"')).toBeVisible();
    equal(await page.evaluate('"hacked" in window')).toBe(false);
    equal(faults).toEqual([]);
  });

  test('the first page shows its numbers with at most 250 KB of scripts in gzip; the chart comes after them', async () => {
    const { page } = await visit('/');
    await logIn(page, owner);
    await expect(page.getByText('Accepted events')).toBeVisible();
    equal(await scriptBytes(page)).toBeLessThanOrEqual(250 * 1024);
  });

  test('the command for curl has a signature that the receiver verifies, and a retry arrives', async () => {
    const { page, faults } = await visit('/', session);
    await page.getByRole('link', { name: 'order.created' }).click();
    await page.getByRole('button', { name: 'Copy as curl' }).click();
    await expect(page.getByText("-H 'webhook-signature: v1,")).toBeVisible();
    await page.keyboard.press('Escape');
    const before = receiver.requests.length;
    receiver.respondWith(() => ({}));
    await page.getByRole('button', { name: 'Retry' }).click();
    await waitFor(() => receiver.requests.length > before, { what: 'the retry' });
    await expect(page.getByText('The endpoint answered 200. The event is delivered.')).toBeVisible();
    equal(faults).toEqual([]);
  });

  test('an id alone leads to its page, by an address of the queue board and by search', async () => {
    const { body } = await client.call<{ deliveries: { id: string; eventId: string }[] }>('GET', '/deliveries');
    const { id = '', eventId = '' } = body.deliveries[0] ?? {};
    const { page, faults } = await visit(`/w/${stack.workspaceId}/~/${id}`, session);
    await expect(page.getByRole('heading', { name: 'Attempt' })).toBeVisible();
    await page.keyboard.press('/');
    await page.getByRole('combobox', { name: 'Search' }).fill(eventId);
    await page.keyboard.press('Enter');
    await expect(page.getByRole('heading', { name: 'Trace' })).toBeVisible();
    equal(faults).toEqual([]);
  });

  test('the page of an id that does not exist says so under a heading, and leads to the list', async () => {
    const { page } = await visit(`/w/${stack.workspaceId}/production/deliveries`, session);
    await expect(page.getByRole('heading', { name: 'Deliveries' })).toBeVisible();
    const kinds = { deliveries: 'dlv', events: 'msg', endpoints: 'ep', customers: 'app' };
    for (const [list, prefix] of Object.entries(kinds)) {
      await showPage(page, `/w/${stack.workspaceId}/production/${list}/${prefix}_01jczhk8m3fd8tqv5x0w2b9n4e`);
      await expect(page.getByRole('heading', { level: 1, name: /^There is no such / })).toBeVisible();
      await expect(page).toHaveTitle(/^(Delivery|Event|Endpoint|Customer) · Posthorn$/);
      await page.getByRole('link', { name: `All ${list}` }).click();
      await expect(page.getByRole('heading', { level: 1, name: list })).toBeVisible();
    }
  });

  test('a click on a row opens it in place, and with a key held down its link opens a tab', async () => {
    const { page, faults } = await visit(`/w/${stack.workspaceId}/production/deliveries`, session);
    const row = page.getByRole('row').nth(1);
    const link = row.getByRole('link');
    // Wait for the page to load before waiting for the new tab.
    await expect(link).toBeVisible();
    const [tab] = await Promise.all([
      page.context().waitForEvent('page'),
      link.click({ modifiers: ['ControlOrMeta'] }),
    ]);
    await expect(tab.getByRole('heading', { name: 'Attempt' })).toBeVisible();
    await page.evaluate('window.isSameDocument = true');
    await row.click({ position: { x: 2, y: 18 } });
    await expect(page.getByRole('heading', { name: 'Attempt' })).toBeVisible();
    equal(await page.evaluate('window.isSameDocument')).toBe(true);
    equal(faults).toEqual([]);
  });

  test('a new API key stays until its button is pressed; a deleted one leaves the focus in the list', async () => {
    const { page, faults } = await visit(`/w/${stack.workspaceId}/production/access`, session);
    const list = page.getByRole('table', { name: 'API keys' });
    for (const name of ['first', 'second']) {
      await page.getByRole('button', { name: 'Create API key' }).first().click();
      await page.getByRole('textbox', { name: 'Name' }).fill(name);
      await page.keyboard.press('Enter');
      const close = page.getByRole('button', { name: 'I have copied it' });
      await expect(close).toBeVisible();
      await page.keyboard.press('Escape');
      await page.mouse.click(5, 300);
      await page.keyboard.press('g');
      await page.keyboard.press('e');
      await close.click();
      await expect(list.getByText(name)).toBeVisible();
    }
    await page.getByRole('button', { name: 'Actions of first' }).click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await page.getByRole('button', { name: 'Delete API key' }).click();
    await expect(list.getByText('first')).toHaveCount(0);
    await expect(list.locator(':focus')).toHaveCount(1);
    equal(faults).toEqual([]);
  });

  test('a sheet that waits for an answer stays open at Escape and closes by its button, and a later answer is told of', async () => {
    const { page } = await visit(`/w/${stack.workspaceId}/production/access`, session);
    for (const answer of ['continue', 'abort'] as const) {
      await page.getByRole('button', { name: 'Create API key' }).first().click();
      const sheet = page.getByRole('dialog', { name: 'Create API key' });
      const name = sheet.getByRole('textbox', { name: 'Name' });
      await name.fill('late');
      const { asked, release } = await holdRequests(page, 'POST');
      await sheet.getByRole('button', { name: 'Create API key' }).click();
      await asked;
      // The request may be sent before the sheet shows that it is waiting.
      await expect(sheet.getByRole('button', { name: 'Create API key' })).toBeDisabled();
      await name.fill('another name');
      await page.keyboard.press('Escape');
      await page.mouse.click(5, 300);
      await sheet.getByRole('button', { name: 'Close' }).click();
      await expect(sheet).toHaveCount(0);
      release(answer);
      const told = { continue: 'The key late was created, but its secret was not shown', abort: 'Nothing was changed' };
      await expect(page.getByRole('alert').filter({ hasText: told[answer] })).toBeVisible();
    }
  });

  test('a deletion whose dialog is closed while it waits is told of, and leaves a sheet that is open by then', async () => {
    const token = await seedSession(stack.db, { workspaceId: stack.workspaceId, role: 'owner' });
    const add = async (path: string, body: object) => {
      const answer = await fetch(`${stack.api.url}/api/workspaces/${stack.workspaceId}${path}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
      equal(answer.status).toBe(201);
    };
    await add(`/environments/${stack.environmentId}/api-keys`, { name: 'old' });
    await add('/management-tokens', { name: 'old', scopes: ['read'] });
    await add('/members', { email: 'old@example.com', role: 'viewer' });
    const { page } = await visit(`/w/${stack.workspaceId}/production/access`, session);
    await expect(page.getByRole('table', { name: 'API keys' })).toBeVisible();
    for (const { part, row, menu, action, sheet, told } of [
      { part: 'keys', row: 'old', menu: 'Delete', action: 'Delete API key', sheet: 'Create API key', told: 'deleted' },
      { part: 'tokens', row: 'old', menu: 'Delete', action: 'Delete token', sheet: 'Create token', told: 'deleted' },
      {
        ...{ part: 'members', row: 'old@example.com', menu: 'Remove', action: 'End the invitation' },
        ...{ sheet: 'Invite a person', told: 'removed' },
      },
    ]) {
      for (const answer of ['abort', 'continue'] as const) {
        await page.goto(`${stack.api.url}/w/${stack.workspaceId}/production/access?part=${part}`);
        await page.getByRole('button', { name: `Actions of ${row}`, exact: true }).click();
        await page.getByRole('menuitem', { name: menu }).click();
        const { asked, release } = await holdRequests(page, 'DELETE');
        await page.getByRole('button', { name: action }).click();
        await asked;
        await page.getByRole('button', { name: 'Cancel', exact: true }).click();
        await expect(page.getByRole('dialog')).toHaveCount(0);
        await page.getByRole('button', { name: sheet }).first().click();
        const form = page.getByRole('dialog').getByRole('textbox').first();
        await form.fill('new@example.com');
        release(answer);
        const words = { abort: 'Nothing was changed', continue: `${row} was ${told}.` }[answer];
        await expect(page.getByRole('alert').filter({ hasText: words })).toBeVisible();
        await expect(form).toHaveValue('new@example.com');
      }
    }
  });

  test('a key that has expired says so below those that work, and is not offered for rotation', async () => {
    const path = `/environments/${stack.environmentId}/api-keys`;
    const expiresAt = new Date(Date.now() + 86_400_000).toISOString();
    const { body } = await client.call<{ id: string }>('POST', path, { name: 'expired', expiresAt });
    await client.call('POST', path, { name: 'works', expiresAt });
    const past = new Date(Date.now() - 7_200_000);
    await stack.db.apiKey.update({ where: { id: fromId('key', body.id) ?? '' }, data: { expiresAt: past } });
    const { page, faults } = await visit(`/w/${stack.workspaceId}/production/access`, session);
    const list = page.getByRole('table', { name: 'API keys' });
    await expect(list.getByRole('row').last()).toContainText('Expired 2 h ago');
    await expect(list.getByRole('row').filter({ hasText: 'works' })).toContainText('Ends in 23 h');
    await page.setViewportSize({ width: 390, height: 844 });
    await expect(list.getByRole('columnheader', { name: 'Key' })).toHaveCount(0);
    await expect(list.getByRole('row').last()).toContainText('Expired 2 h ago');
    await page.getByRole('button', { name: 'Actions of expired' }).click();
    await expect(page.getByRole('menuitem', { name: 'Delete' })).toBeVisible();
    await expect(page.getByRole('menuitem', { name: 'Rotate' })).toHaveCount(0);
    equal(faults).toEqual([]);
  });

  test('a session that ended leads to the login, and from there back to where it was missed', async () => {
    const path = `/w/${stack.workspaceId}/production/event-types?search=order`;
    const { page } = await visit(path);
    await logIn(page, owner);
    await expect(page.getByRole('switch', { name: 'Publish order.created in Production' })).toBeChecked();
    equal(new URL(page.url()).pathname + new URL(page.url()).search).toBe(path);
    await stack.db.session.deleteMany({ where: { user: { email: owner.email } } });
    await page.getByRole('link', { name: 'Endpoints' }).click();
    await logIn(page, owner);
    await expect(page.getByRole('heading', { name: 'Endpoints' })).toBeVisible();
  });

  test('a refused invitation says so on its page, and its token stays out of other addresses', async () => {
    const { page } = await visit('/set-password#token=wrong');
    await page.getByRole('textbox', { name: 'Password' }).fill('a good password');
    await page.getByRole('button', { name: 'Continue' }).click();
    await expect(page.getByText('The password was not accepted')).toBeVisible();
    equal(new URL(page.url()).pathname).toBe('/set-password');
  });

  test('a type is unpublished by its switch, and published again by Undo', async () => {
    const published = async () => {
      const path = `/environments/${stack.environmentId}/event-types`;
      const { body } = await client.call<{ published: boolean }[]>('GET', path);
      return body[0]?.published;
    };
    const { page } = await visit(`/w/${stack.workspaceId}/production/event-types`, session);
    const toggle = page.getByRole('switch', { name: 'Publish order.created in Production' });
    await expect(toggle).toBeChecked();
    await toggle.click({ force: true });
    // The button stays for four seconds, and as long as the mouse is over it.
    const undo = page.getByRole('button', { name: 'Undo' });
    await undo.hover();
    await waitFor(async () => (await published()) === false, { what: 'the type to be unpublished' });
    await undo.click();
    await waitFor(published, { what: 'the type to be published again' });
    await expect(toggle).toBeChecked();
  });

  test('an operational event is switched on for an endpoint in one step, and off by Undo', async () => {
    const name = 'posthorn.delivery.dead_letter';
    const subscribed = async () => {
      const { body: endpoints } = await client.call<{ id: string }[]>('GET', '/endpoints');
      const path = `/endpoints/${endpoints[0]?.id}/subscriptions`;
      const { body } = await client.call<{ eventTypeName: string }[]>('GET', path);
      return body.some(({ eventTypeName }) => eventTypeName === name);
    };
    const { page, faults } = await visit(`/w/${stack.workspaceId}/production/event-types`, session);
    await page.getByRole('link', { name: 'Operational events' }).click();
    const toggle = page.getByRole('switch', { name: `Send ${name}` });
    await expect(toggle).not.toBeChecked();
    await toggle.click({ force: true });
    // The button stays for four seconds, and as long as the mouse is over it.
    const undo = page.getByRole('button', { name: 'Undo' });
    await undo.hover();
    await expect(toggle).toBeChecked();
    await waitFor(subscribed, { what: 'the endpoint to be subscribed' });
    await undo.click();
    await waitFor(async () => !(await subscribed()), { what: 'the subscription to end' });
    await expect(toggle).not.toBeChecked();
    equal(faults).toEqual([]);
  });

  test('a promotion shows what differs, applies it, and counts before it removes', async () => {
    const live = (await client.call<{ id: string }>('POST', '/environments', { name: 'Live', slug: 'live' })).body.id;
    await client.call('POST', '/event-types', { name: 'only.there', publishIn: [live] });
    const { page, faults } = await visit(`/w/${stack.workspaceId}/production/settings`, session);
    await page.getByRole('link', { name: 'Compare and promote' }).click();
    // The page proposes a promotion to the default environment. Here, the default environment is the source.
    await page.waitForURL(/\/promote/);
    await page.goto(
      `${stack.api.url}/w/${stack.workspaceId}/production/promote?from=${stack.environmentId}&to=${live}`,
    );
    await expect(page.getByText('order.created', { exact: true })).toBeVisible();
    await page.getByLabel('URL in Live').fill('https://127.0.0.1/live');
    await page.getByRole('button', { name: /^Apply \d+ changes to Live$/ }).click();
    await expect(page.getByText(/changes were applied to Live/)).toBeVisible();
    await expect(page.getByLabel('URL in Live')).toHaveCount(0);
    const { body } = await client.call<{ url: string }[]>('GET', `/endpoints?environment_id=${live}`);
    equal(body).toMatchObject([{ url: 'https://127.0.0.1/live' }]);
    await page.getByRole('button', { name: 'Remove 1 from Live …' }).click();
    await expect(page.getByText('In Live, 1 event type is unpublished.')).toBeVisible();
    await page.getByRole('button', { name: 'Remove 1', exact: true }).click();
    await expect(page.getByText('Live is like Production.')).toBeVisible();
    equal(faults).toEqual([]);
  });

  test('the statistics of a long list of endpoints are read for 100 of them at a time, as far as it is scrolled', async () => {
    const environment = { name: 'Many', slug: 'many' };
    const environmentId = (await client.call<{ id: string }>('POST', '/environments', environment)).body.id;
    for (let made = 0; made < 130; made += 10) {
      const urls = Array.from({ length: 10 }, (_, index) => `https://127.0.0.1/${made + index}`);
      const answers = await Promise.all(urls.map((url) => client.call('POST', '/endpoints', { url, environmentId })));
      equal(answers.map(({ status }) => status)).toEqual(urls.map(() => 201));
    }
    const { page, faults } = await visit(`/w/${stack.workspaceId}/many/endpoints`);
    const reads: URLSearchParams[] = [];
    page.on('request', (request) => {
      const { searchParams } = new URL(request.url());
      if (searchParams.get('include') === 'stats') reads.push(searchParams);
    });
    await logIn(page, owner);
    await expect(page.getByRole('img', { name: '0 attempts in 24 hours, 0 failed' }).first()).toBeVisible();
    equal(reads.map((read) => [read.get('limit'), read.has('cursor')])).toEqual([['100', false]]);
    const scrolled = async () => {
      await page.mouse.wheel(0, 100_000);
      return reads.length > 1;
    };
    await waitFor(scrolled, { what: 'the next page of statistics' });
    await expect(page.getByText('…', { exact: true })).toHaveCount(0);
    equal(reads.map((read) => [read.get('limit'), read.has('cursor')])).toEqual([
      ['100', false],
      ['100', true],
    ]);
    await page.getByRole('link', { name: 'Deliveries' }).click();
    const filter = page.getByRole('combobox', { name: 'Endpoint' });
    await filter.click();
    await expect(page.getByRole('option', { name: 'Type to find more' })).toBeVisible();
    await filter.fill('127.0.0.1/12');
    const options = page.getByRole('option');
    await expect(options).toHaveCount(11);
    await options.filter({ hasText: '/129' }).click();
    await expect(filter).toHaveValue('https://127.0.0.1/129');
    equal(faults).toEqual([]);
  });

  test('dead letters of an endpoint that is not among the 50 busiest need attention, and lead to their list', async () => {
    const environment = { name: 'Busy', slug: 'busy' };
    const environmentId = (await client.call<{ id: string }>('POST', '/environments', environment)).body.id;
    const add = async (index: number) => {
      const body = { url: `https://127.0.0.1/${index}`, environmentId };
      const { body: endpoint } = await client.call<{ id: string }>('POST', '/endpoints', body);
      return fromId('ep', endpoint.id) ?? '';
    };
    const quiet = await add(0);
    const busy: string[] = [];
    for (let made = 1; made < 50; made += 10) {
      busy.push(...(await Promise.all(Array.from({ length: 10 }, (_, index) => add(made + index)))));
    }
    const hour = { isHour: true, at: new Date(Math.floor(Date.now() / 3_600_000) * 3_600_000), eventType: '*' };
    const uuid = fromId('env', environmentId) ?? '';
    const of = { ...hour, environmentId: uuid };
    const ended = { attempts: 1, failed: 1, endedFailed: 3, deadLettered: 3 };
    await stack.db.stat.createMany({
      data: [
        ...busy.map((subjectId) => ({ ...of, subjectId, attempts: 2, succeeded: 2, delivered: 2 })),
        { ...of, ...ended, subjectId: quiet },
        { ...of, ...ended, subjectId: uuid, attempts: 101, succeeded: 100, delivered: 100 },
      ],
    });
    const { page, faults } = await visit(`/w/${stack.workspaceId}/busy/overview?span=24h`, session);
    const section = page.getByRole('region', { name: 'Needs attention' });
    await expect(section.getByText('Only the 50 endpoints with the most attempts are counted')).toBeVisible();
    await expect(section.getByText(/^Nothing\./)).toHaveCount(0);
    await expect(page.getByRole('link', { name: /^Deliveries/ })).toContainText('3 became dead letters in 24 hours');
    await section.getByRole('link', { name: '3 deliveries of all endpoints became dead letters in 24 h' }).click();
    await expect(page).toHaveURL(/\/busy\/deliveries\?status=dead_letter$/);
    equal(faults).toEqual([]);
  });

  test('the portal of a customer opens in a new window or the page says that it was blocked; a deleted customer is gone', async () => {
    const { body } = await client.call<{ id: string }>('POST', '/applications', { name: 'Acme' });
    const { page, faults } = await visit(`/w/${stack.workspaceId}/production/customers/${body.id}`, session);
    const button = page.getByRole('button', { name: 'Open portal as this customer' });
    // Wait for the page to load before waiting for the new page.
    await expect(button).toBeVisible();
    const [portal] = await Promise.all([page.context().waitForEvent('page'), button.click()]);
    await expect(portal.getByRole('heading', { name: 'Your endpoints' })).toBeVisible();
    equal(await portal.evaluate('window.opener')).toBe(null);
    await expect(page.getByText('The portal is open in a new window.')).toBeVisible();
    await page.evaluate('window.open = () => null');
    await button.click();
    await expect(page.getByText('The browser blocked the new window.')).toBeVisible();
    await page.getByRole('button', { name: 'Delete …' }).click();
    await page.getByRole('button', { name: 'Delete customer' }).click();
    await expect(page.getByRole('heading', { name: 'Customers' })).toBeVisible();
    await page.goBack();
    await expect(page.getByRole('heading', { name: 'There is no such customer' })).toBeVisible();
    equal(faults.filter((fault) => !fault.includes('status of 404'))).toEqual([]);
  });

  test('an endpoint that was subscribed on another page does not say that it subscribes to nothing', async () => {
    const { environmentId } = stack;
    const add = async (path: string, more: object) => {
      const body = { url: `https://127.0.0.1/${path}`, environmentId, ...more };
      return (await client.call<{ id: string }>('POST', '/endpoints', body)).body.id;
    };
    const told = await add('told', {});
    await add('pattern', { eventTypes: ['rare.*'] });
    const { page, faults } = await visit(`/w/${stack.workspaceId}/production/endpoints`, session);
    const state = (path: string) => page.getByRole('row').filter({ hasText: `127.0.0.1/${path}` });
    const pages = page.getByRole('navigation', { name: 'Pages' });
    await expect(state('told')).toContainText('Subscribed to nothing');
    await expect(state('pattern')).toContainText('Subscribed to nothing');
    await showPage(page, `/w/${stack.workspaceId}/production/operational-events?endpoint=${told}`);
    const toggle = page.getByRole('switch', { name: 'Send posthorn.endpoint.recovered' });
    await toggle.click({ force: true });
    await expect(toggle).toBeChecked();
    await pages.getByRole('link', { name: /^Endpoints/ }).click();
    await expect(state('told')).toContainText('No attempts yet');
    await pages.getByRole('link', { name: 'Event types' }).click();
    await page.getByRole('button', { name: 'Create event type' }).click();
    const sheet = page.getByRole('dialog', { name: 'Create event type' });
    await sheet.getByRole('textbox', { name: 'Name' }).fill('rare.one');
    await sheet.getByRole('button', { name: 'Create event type' }).click();
    await expect(sheet).toHaveCount(0);
    await pages.getByRole('link', { name: /^Endpoints/ }).click();
    await expect(state('pattern')).toContainText('No attempts yet');
    equal(faults).toEqual([]);
  });

  test('after an outage of ours, the overview says how much waits, how fast it is sent, and for how long', async () => {
    const { page } = await visit('/', session);
    await expect(page.getByText('Accepted events')).toBeVisible();
    await expect(page.getByText('is catching up')).toHaveCount(0);
    const ids = Array.from({ length: 1_200 }, () => newUuid(new Date()));
    // The deliveries wait in the line of their endpoint, whose turn is in an hour, so no dispatcher
    // sends them meanwhile.
    await stack.db.$executeRaw`
      with outage as (insert into catch_up (since, until) values (now() - interval '2 minutes', now())),
        kept as (
          insert into delivery (id, event_id, endpoint_id, workspace_id, environment_id, due_at)
          select k.id, k.id, d.endpoint_id, d.workspace_id, d.environment_id, now() + interval '1972347 days'
          from unnest(${ids}::uuid[]) as k(id), (select * from delivery limit 1) d
          returning endpoint_id, workspace_id),
        paced as (insert into catch_up_endpoint select distinct endpoint_id, 10::float8, 20::float8 from kept)
      insert into endpoint_line (endpoint_id, workspace_id, next_at)
      select distinct endpoint_id, workspace_id, now() + interval '1 hour' from kept`;
    await page.reload();
    const banner = page.getByRole('status').filter({ hasText: 'Posthorn was away, and is catching up' });
    await expect(banner).toContainText('1,200 deliveries wait');
    await expect(banner).toContainText(/at most 20 a second together, for about [12] min more/);
    await stack.db.$executeRaw`update catch_up set ended_at = now()`;
    await stack.db.$executeRaw`delete from delivery where due_at > '7400-01-01'`;
    await stack.db.endpointLine.deleteMany();
    await page.reload();
    await expect(page.getByText('Accepted events')).toBeVisible();
    await expect(banner).toHaveCount(0);
  });

  test('the page of the queues says where they are, and says so while processes differ', async () => {
    const { page } = await visit(`/w/${stack.workspaceId}/production/queues`, session);
    const [here, elsewhere] = stack.redisUrl === '' ? ['Postgres', 'redis'] : ['Redis', 'postgres'];
    await expect(page.getByText(`The queues are in ${here}.`)).toBeVisible();
    await stack.db.$executeRaw`
      insert into worker (id, role, queue, version) values (gen_random_uuid(), 'api', ${elsewhere}, 'other')`;
    const readiness = async () => (await fetch(`${stack.api.url}/readyz`)).text();
    await waitFor(async () => (await readiness()).includes('mixed'), { what: 'the API to see the other process' });
    await page.reload();
    const warning = page.getByRole('status').filter({ hasText: 'Mixed: some processes have their queues in Redis' });
    await expect(warning).toContainText('up to twice its rate limit');
    await stack.db.$executeRaw`delete from worker where version = 'other'`;
  });

  test('a list of the overview that could not be read is read again by its button', async () => {
    const { page } = await visit(`/w/${stack.workspaceId}/production/queues`, session);
    await expect(page.getByRole('heading', { name: 'Queues' })).toBeVisible();
    const lists = /\/(deliveries|endpoints)\?/;
    await page.route(lists, (route) => route.fulfill({ status: 500, body: '{}' }));
    await page.getByRole('link', { name: 'Overview' }).click();
    const again = ['Live deliveries', 'Needs attention'].map((name) =>
      page.getByRole('region', { name }).getByRole('button', { name: 'Try again' }),
    );
    for (const button of again) await expect(button).toBeVisible();
    await page.unroute(lists);
    for (const button of again) {
      await button.click();
      await expect(button).toHaveCount(0);
    }
    const live = page.getByRole('region', { name: 'Live deliveries' });
    await expect(live.getByText('order.created').first()).toBeVisible();
  });

  test('a viewer sees, and is offered no change', async () => {
    const viewer = await seedSession(stack.db, { workspaceId: stack.workspaceId, role: 'viewer' });
    const { page } = await visit(`/w/${stack.workspaceId}/production/endpoints`, viewer);
    await expect(page.getByRole('link', { name: endpointUrl })).toBeVisible();
    await expect(page.getByRole('button', { name: 'Add endpoint' })).toHaveCount(0);
    await expect(page.getByRole('button', { name: /Actions of/ })).toHaveCount(0);
  });

  test('names, descriptions, headers, bodies and answers are shown as text, whatever they hold', async () => {
    receiver.respondWith(() => ({ status: 503, headers: { 'x-note': '<b>hacked</b>' }, body: HOSTILE }));
    const environmentId = stack.environmentId;
    const made = [
      await client.call('POST', '/applications', { name: HOSTILE, externalId: 'hostile' }),
      await client.call('POST', '/event-types', {
        name: 'hostile.type',
        description: HOSTILE,
        example: { note: HOSTILE },
        publishIn: [environmentId],
      }),
      await client.call('POST', '/endpoints', {
        url: new URL('/hostile', receiver.url).href,
        description: HOSTILE,
        environmentId,
        config: { headers: { 'x-hostile': '<script>window.hacked=1</script>' } },
      }),
    ];
    equal(made.map(({ status }) => status)).toEqual([201, 201, 201]);
    const [, type, endpoint] = made.map(({ body }) => String(body.id));
    await client.call('POST', `/endpoints/${endpoint}/subscriptions`, { eventTypeIds: [type] });
    const payload = JSON.stringify({ note: HOSTILE, line: 'x'.repeat(1_000_000) });
    const key = { 'content-type': 'application/json', 'idempotency-key': '<i>key</i>' };
    equal((await createIngest(stack)('event/hostile.type', payload, key)).status).toBe(202);
    // The list of deliveries does not refresh itself.
    const isListed = async () => {
      const path = '/deliveries?event_type=hostile.type';
      return (await client.call<{ deliveries: unknown[] }>('GET', path)).body.deliveries.length === 1;
    };
    await waitFor(isListed, { what: 'the delivery' });

    const at = (page: string) => `/w/${stack.workspaceId}/production/${page}`;
    const { page, faults } = await visit(at('operations'), session);
    await awaitContent(page);
    const shown = page.getByText('onerror="window.hacked').first();
    const isHacked = () => page.evaluate('"hacked" in window');
    for (const name of ['customers', 'endpoints', 'event-types', `endpoints/${endpoint}`]) {
      await showPage(page, at(name));
      await expect(shown).toBeVisible();
      equal(await isHacked()).toBe(false);
    }
    for (const name of ['audit', 'events', 'overview', `endpoints/${endpoint}?tab=advanced`]) {
      await showPage(page, at(name));
      await awaitContent(page);
      equal(await isHacked()).toBe(false);
    }
    await showPage(page, at(`deliveries?endpoint=${endpoint}`));
    await page.getByRole('link', { name: 'hostile.type' }).click();
    await expect(page.getByText('<b>hacked</b>')).toBeVisible();
    await expect(page.getByText('<script>window.hacked=1</script>')).toBeVisible();
    await expect(page.getByText('⟨U+202E⟩gnp.exe')).toBeVisible();
    await page.getByRole('button', { name: 'Show payload' }).click();
    await expect(page.getByText(/more characters are not shown/)).toBeVisible();
    equal(await isHacked()).toBe(false);
    equal(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
    // The audit log requests the name of a customer that an earlier test deleted.
    equal(faults.filter((fault) => !/status of 404 .*\/applications\/app_/.test(fault))).toEqual([]);
  });
});
