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
  awaitContent,
  beforeAll,
  closePages,
  expect,
  inBrowser,
  launchBrowser,
  showPage,
  test,
  visitPage,
} from './browser.ts';

const HOSTILE = '<img src=x onerror="window.hacked = true">';

inBrowser('events and operations in the dashboard', () => {
  let receiver: Receiver;
  let stack: Services;
  let client: ApiClient;
  let browser: Browser;
  let session: string;
  let failingUrl: string;
  let otherUrl: string;

  beforeAll(async () => {
    receiver = await startReceiver();
    stack = await startServices({ settings: { RETRY_SCHEDULE: '1', SWEEP_INTERVAL_MS: '500' } });
    client = createApiClient({ ...stack, baseUrl: stack.api.url });
    session = await seedSession(stack.db, { workspaceId: stack.workspaceId, role: 'owner' });
    receiver.respondWith(() => ({ status: 503 }));
    failingUrl = new URL('/failing', receiver.url).href;
    otherUrl = new URL('/other', receiver.url).href;
    // A test holds its response while a page is loaded again.
    const config = { timeoutSeconds: 30 };
    const { endpointId } = await client.subscribeEndpoint({ url: failingUrl, eventType: 'order.created', config });
    await client.subscribeEndpoint({ url: otherUrl, eventType: 'invoice.paid' });
    await createIngest(stack)('event/order.created', JSON.stringify({ id: 'order_1', note: HOSTILE }));
    const dead = async () => {
      const path = `/endpoints/${endpointId}/deliveries?status=dead_letter`;
      const { body } = await client.call<{ deliveries: unknown[] }>('GET', path);
      return body.deliveries.length > 0;
    };
    await waitFor(dead, { what: 'the delivery to be a dead letter', timeoutMs: 30_000 });
    browser = await launchBrowser();
  });

  afterEach(() => closePages(browser));
  afterAll(async () => {
    await browser?.close();
    await stack?.stop();
    await receiver?.close();
  });

  const at = (page: string) => `/w/${stack.workspaceId}/production/${page}`;

  test('an event leads over its trace to a delivery, and says why the other endpoint was skipped', async () => {
    const { page, faults } = await visitPage(browser, stack.api.url + at('events?type=order.created'), session);
    await page.getByRole('link', { name: 'order.created' }).click();
    await expect(page.getByText('1 endpoint matched, 1 skipped.')).toBeVisible();
    await page.getByRole('button', { name: '1 not subscribed' }).click();
    await expect(page.getByText('The endpoint did not subscribe to order.created.')).toBeVisible();
    await expect(page.getByRole('link', { name: 'Change its subscriptions' })).toBeVisible();
    await page.getByRole('button', { name: 'Show payload' }).click();
    await expect(page.getByText('"id": "order_1"')).toBeVisible();
    equal(await page.evaluate('"hacked" in window')).toBe(false);
    await page.getByRole('link', { name: failingUrl }).click();
    await expect(page.getByRole('heading', { name: 'Attempt 2' })).toBeVisible();
    equal(faults).toEqual([]);
  });

  test('a precheck names the endpoints that would get an event now', async () => {
    const { page, faults } = await visitPage(browser, stack.api.url + at('event-types'), session);
    await page.getByRole('button', { name: 'Actions of order.created' }).click();
    await page.getByRole('menuitem', { name: 'Precheck' }).click();
    const sheet = page.getByRole('dialog', { name: 'Precheck' });
    await expect(sheet.getByText('Would get it · 1')).toBeVisible();
    await expect(sheet.getByText(failingUrl)).toBeVisible();
    await expect(sheet.getByRole('button', { name: '1 not subscribed' })).toBeVisible();
    equal(faults).toEqual([]);
  });

  test('a recovery is counted before it starts, and its progress is in the header after a reload', async () => {
    let release: () => void = () => undefined;
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    const { page, faults } = await visitPage(browser, stack.api.url + at('endpoints'), session);
    await page.getByRole('button', { name: `Actions of ${failingUrl}` }).click();
    await page.getByRole('menuitem', { name: 'Recover' }).click();
    const before = receiver.requests.length;
    const recover = page.getByRole('button', { name: 'Recover 1 delivery' });
    await expect(recover).toBeEnabled();
    equal(receiver.requests.length).toBe(before);
    receiver.respondWith(async () => {
      await released;
      return {};
    });
    await recover.click();
    await waitFor(() => receiver.requests.length > before, { what: 'the recovered delivery' });
    await page.reload();
    const progress = page.getByRole('link', { name: /^Recovery: / });
    // The link disappears when the recovery has ended.
    await progress.click();
    release();
    await expect(page.getByText('1 of 1 enqueued, 1 delivered, 0 failed.')).toBeVisible();
    await expect(progress).toHaveCount(0);
    equal(faults).toEqual([]);
  });

  test('a bulk retry is counted in its dialog, and takes what the filters match', async () => {
    receiver.respondWith(() => ({}));
    const { page, faults } = await visitPage(browser, stack.api.url + at('deliveries?type=order.created'), session);
    await page.getByRole('button', { name: 'Retry or cancel all' }).click();
    await page.getByRole('menuitem', { name: 'Retry them' }).click();
    const before = receiver.requests.length;
    await page.getByRole('button', { name: 'Retry 1 delivery' }).click();
    await waitFor(() => receiver.requests.length > before, { what: 'the retried delivery' });
    equal(faults).toEqual([]);
  });

  test('a list is filtered by a time in UTC, which the address keeps, instead of a range; the zone of the reader does not matter', async () => {
    const { page, faults } = await visitPage(browser, stack.api.url + at('deliveries?since=1h'), session);
    const device = await page.context().newCDPSession(page);
    await device.send('Emulation.setTimezoneOverride', { timezoneId: 'Pacific/Auckland' });
    const rows = page.getByRole('table', { name: 'Deliveries' }).getByRole('row').filter({ hasText: 'order.created' });
    await expect(rows.first()).toBeVisible();
    const time = page.getByLabel('Half an hour before and after, in UTC');
    await time.fill('2026-01-02T12:00');
    await expect(rows).toHaveCount(0);
    await expect(time).toHaveValue('2026-01-02T12:00');
    const { searchParams } = new URL(page.url());
    equal(Object.fromEntries(searchParams)).toEqual({ at: '2026-01-02T12:00Z' });
    await time.fill(new Date().toISOString().slice(0, 16));
    await expect(rows.first()).toBeVisible();
    equal(faults).toEqual([]);
  });

  test('the sheet of a type asks before it hides it from all but one customer, names who sees it, and shows it to all again', async () => {
    const names = ['Nut & Co', 'Bolt Ltd'];
    for (const name of names) equal((await client.call('POST', '/applications', { name })).status).toBe(201);
    const { page, faults } = await visitPage(browser, stack.api.url + at('event-types'), session);
    await page.getByRole('button', { name: 'Actions of invoice.paid' }).click();
    await page.getByRole('menuitem', { name: 'Schema and portals' }).click();
    const sheet = page.getByRole('dialog', { name: 'portals' });
    const isShownTo = (count: number | null) => async () => {
      const path = `/environments/${stack.environmentId}/event-types`;
      const { body } = await client.call<{ eventType: string; applications: string[] | null }[]>('GET', path);
      const entry = body.find(({ eventType }) => eventType === 'invoice.paid');
      return (entry?.applications?.length ?? null) === count;
    };
    for (const [index, name] of names.entries()) {
      await sheet.getByRole('combobox', { name: 'Shown in portals of Production' }).click();
      await page.getByRole('option', { name }).click();
      // The first one hides the type from all others.
      if (index === 0) {
        equal(await isShownTo(null)()).toBe(true);
        await page.getByRole('button', { name: 'Hide it from all others' }).click();
      }
      await expect(sheet.getByText(name, { exact: true })).toBeVisible();
      await waitFor(isShownTo(index + 1), { what: `${name} to be named` });
    }
    // Somebody else unpublishes it meanwhile: a change of another value leaves it so.
    const types = `/environments/${stack.environmentId}/event-types`;
    const { body: listed } = await client.call<{ eventTypeId: string; eventType: string }[]>('GET', types);
    const { eventTypeId = '' } = listed.find(({ eventType }) => eventType === 'invoice.paid') ?? {};
    const publish = (published: boolean) => client.call('PUT', `${types}/${eventTypeId}/visibility`, { published });
    equal((await publish(false)).status).toBe(200);
    await sheet.getByRole('button', { name: 'Leave out' }).first().click();
    await waitFor(isShownTo(1), { what: 'one customer to be left out' });
    await sheet.getByRole('button', { name: 'Show to all customers' }).click();
    await expect(sheet.getByRole('button', { name: 'Leave out' })).toHaveCount(0);
    await waitFor(isShownTo(null), { what: 'the type to be shown to all' });
    const { body: kept } = await client.call<{ eventType: string; published: boolean }[]>('GET', types);
    equal(kept.find(({ eventType }) => eventType === 'invoice.paid')?.published).toBe(false);
    equal((await publish(true)).status).toBe(200);
    equal(faults).toEqual([]);
  });

  test('a schema is checked before it is saved, with its example; an event that does not fit shows its faults', async () => {
    const { page, faults } = await visitPage(browser, stack.api.url + at('event-types'), session);
    await page.getByRole('button', { name: 'Actions of invoice.paid' }).click();
    await page.getByRole('menuitem', { name: 'Schema' }).click();
    const sheet = page.getByRole('dialog', { name: 'Schema' });
    await sheet.getByRole('textbox', { name: 'JSON Schema' }).fill('{"required":["total"]}');
    await sheet.getByRole('textbox', { name: 'Example' }).fill('{"id":1}');
    await expect(sheet.getByRole('button', { name: 'Save', exact: true })).toBeDisabled();
    await sheet.getByRole('button', { name: 'Check the change' }).click();
    await expect(sheet.getByText('/total is required')).toBeVisible();
    await expect(sheet.getByText('This breaks no receiver')).toBeVisible();
    await sheet.getByRole('combobox', { name: 'Payloads in Production' }).click();
    await page.getByRole('option', { name: 'Accept and note faults' }).click();
    await sheet.getByRole('button', { name: 'Save', exact: true }).click();
    await expect(sheet).toHaveCount(0);
    const isWarning = async () => {
      const path = `/environments/${stack.environmentId}/event-types`;
      const { body } = await client.call<{ schemaMode: string }[]>('GET', path);
      const modes = body.map(({ schemaMode }) => schemaMode).sort();
      return modes.join() === 'off,warn';
    };
    // Choosing a mode saves it with a separate request, which may be answered after the request for the schema.
    await waitFor(isWarning, { what: 'the mode of one type to be changed' });
    const ingest = createIngest(stack);
    const warned = async () => (await ingest('event/invoice.paid', '{}')).body.schemaErrors !== null;
    await waitFor(warned, { what: 'the schema to be checked' });
    await page.goto(stack.api.url + at('events?type=invoice.paid'));
    await page.getByRole('link', { name: 'invoice.paid' }).first().click();
    await expect(page.getByText('/total is required')).toBeVisible();
    equal(faults).toEqual([]);
  });

  test('a payload is erased from the page of its event, after a question', async () => {
    const sent = await createIngest(stack)('event/invoice.paid', JSON.stringify({ card: 'canary-4111' }));
    const { page, faults } = await visitPage(browser, stack.api.url + at(`events/${sent.body.id}`), session);
    await page.getByRole('button', { name: 'Show payload' }).click();
    await expect(page.getByText('canary-4111')).toBeVisible();
    await page.getByRole('button', { name: 'Erase payload' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Erase payload' }).click();
    await expect(page.getByText('The payload is erased.')).toBeVisible();
    await expect(page.getByRole('button', { name: 'Erase payload' })).toHaveCount(0);
    await expect(page.getByText('canary-4111')).toHaveCount(0);
    // Another event still has its payload.
    const { body: other } = await createIngest(stack)('event/invoice.paid', '{}');
    await expect(page.getByRole('dialog')).toHaveCount(0);
    await page.keyboard.press('/');
    await page.getByRole('combobox', { name: 'Search' }).fill(String(other.id));
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL(new RegExp(`/events/${other.id}$`));
    await expect(page.getByRole('button', { name: 'Erase payload' })).toBeVisible();
    equal(faults).toEqual([]);
  });

  test('an event is found by a value of its payload: in the search, and in the lists of events and deliveries', async () => {
    const { body: type } = await client.call<{ id: string }>('POST', '/event-types', {
      name: 'parcel.sent',
      example: { parcel: { id: 'p_1' } },
      publishIn: [stack.environmentId],
    });
    const { page, faults } = await visitPage(browser, stack.api.url + at('event-types?search=parcel.sent'), session);
    await page.getByRole('button', { name: 'Actions of parcel.sent' }).click();
    await page.getByRole('menuitem', { name: 'Schema and portals' }).click();
    await page.getByRole('button', { name: 'Add a search key' }).click();
    await page.getByLabel('Name of search key 1').fill('parcel_id');
    await page.getByRole('combobox', { name: 'Path of search key 1' }).fill('parcel.id');
    await page.getByRole('button', { name: 'Save search keys' }).click();
    const stored = async () => {
      const { body } = await client.call<{ searchKeys: unknown }>('GET', `/event-types/${type.id}`);
      return body.searchKeys;
    };
    await waitFor(async () => (await stored()) !== null, { what: 'the search keys to be saved' });
    equal(await stored()).toEqual([{ name: 'parcel_id', path: 'parcel.id', fold: false }]);
    await expect(page.getByRole('button', { name: 'Save search keys' })).toBeDisabled();
    const send = (id: string) => createIngest(stack)('event/parcel.sent', JSON.stringify({ parcel: { id } }));
    const { body: sent } = await send('p_1002');
    await send('p_1003');
    await page.keyboard.press('Escape');
    await expect(page.getByRole('dialog')).toHaveCount(0);
    const addresses: string[] = [];
    page.on('request', (request) => addresses.push(request.url()));
    await page.keyboard.press('/');
    await page.getByRole('combobox', { name: 'Search' }).fill('p_1002');
    await expect(page.getByRole('option', { name: 'by parcel_id' })).toBeVisible();
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL(new RegExp(`/events/${sent.id}$`));
    await showPage(page, at('events?type=parcel.sent'));
    await expect(page.getByRole('link', { name: 'parcel.sent' })).toHaveCount(2);
    await page.getByRole('textbox', { name: 'Contains' }).fill('parcel_id:p_1002');
    await expect(page.getByRole('link', { name: 'parcel.sent' })).toHaveCount(1);
    await page.getByRole('button', { name: 'Clear' }).click();
    await showPage(page, at('deliveries'));
    await page.getByRole('textbox', { name: 'Contains' }).fill('p_1002');
    await expect(page.getByText('Nothing matches these filters')).toBeVisible();
    // A bulk would also take what the list does not show.
    const bulk = page.getByRole('button', { name: 'Retry or cancel all' });
    await bulk.click();
    await expect(page.getByText('Clear “Contains” first')).toBeVisible();
    for (const name of ['Retry them', 'Cancel the open ones']) {
      await expect(page.getByRole('menuitem', { name })).toBeDisabled();
    }
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Clear', exact: true }).click();
    await bulk.click();
    await expect(page.getByRole('menuitem', { name: 'Retry them' })).toBeEnabled();
    equal(addresses.filter((address) => address.includes('p_1002'))).toEqual([]);
    equal(faults).toEqual([]);
  });

  test('a customer is deleted with everything that was sent to them', async () => {
    const { body: customer } = await client.call<{ id: string }>('POST', '/applications', { name: 'Acme to erase' });
    const { page, faults } = await visitPage(browser, stack.api.url + at('operations'), session);
    await awaitContent(page);
    await showPage(page, at(`customers/${customer.id}`));
    await page.getByRole('button', { name: 'Delete', exact: false }).first().click();
    await page.getByRole('checkbox', { name: 'Erase their data, too' }).check();
    await page.getByRole('button', { name: 'Delete and erase' }).click();
    await page.waitForURL(/\/customers/);
    await expect(page.getByText('The data is being erased')).toBeVisible();
    const erased = await client.call<{ operations: { type: string }[] }>('GET', '/operations');
    equal(erased.body.operations[0]?.type).toBe('erasure');
    await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Operations' }).click();
    await expect(page.getByRole('table', { name: 'Operations' }).getByText('Erasure')).toBeVisible();
    equal(faults).toEqual([]);
  });

  test('an event with an ordering key leads to the delivery that it waits for; a scheduled one is found by its status, shows its time and is cancelled', async () => {
    receiver.respondWith(() => ({ status: 503 }));
    const url = new URL('/ordered', receiver.url).href;
    const config = { ordering: 'fifo', retrySchedule: [3_600] };
    await client.subscribeEndpoint({ url, eventType: 'customer.updated', config });
    const send = async (headers: Record<string, string>) => {
      const all = { 'content-type': 'application/json', ...headers };
      return String((await createIngest(stack)('event/customer.updated', '{}', all)).body.id);
    };
    await send({ 'x-ordering-key': 'customer-42' });
    const second = await send({ 'x-ordering-key': 'customer-42' });
    const refused = async () => {
      const path = '/deliveries?event_type=customer.updated&status=scheduled_retry';
      const { body } = await client.call<{ deliveries: unknown[] }>('GET', path);
      return body.deliveries.length === 1;
    };
    await waitFor(refused, { what: 'the first delivery to be refused' });
    const { page, faults } = await visitPage(browser, stack.api.url + at(`events/${second}`), session);
    await expect(page.getByText('customer-42')).toBeVisible();
    await expect(page.getByText('Waits its turn')).toBeVisible();
    await page.getByRole('link', { name: /^after …/ }).click();
    await expect(page.getByRole('heading', { name: 'Attempt 1' })).toBeVisible();
    await expect(page.getByText(/^Retry in /)).toBeVisible();
    await page.getByRole('button', { name: 'Cancel', exact: true }).click();
    await expect(page.getByText('It was cancelled.')).toBeVisible();
    await expect(page.getByRole('button', { name: 'Cancel', exact: true })).toHaveCount(0);

    const deliverAt = new Date(Date.now() + 7_200_000).toISOString();
    const scheduled = await send({ 'x-deliver-at': deliverAt });
    await page.goto(stack.api.url + at('events?status=scheduled'));
    await expect(page.getByRole('combobox', { name: 'Status' })).toHaveValue('Scheduled');
    await page.getByRole('link', { name: 'customer.updated' }).click();
    await expect(page.getByText(`${deliverAt.slice(0, 19).replace('T', ' ')} UTC`)).toBeVisible();
    await expect(page.getByText('The endpoints are chosen when the time of the event has come')).toBeVisible();
    await page.getByRole('button', { name: 'Cancel event' }).click();
    const dialog = page.getByRole('dialog', { name: 'Cancel this event?' });
    await dialog.getByRole('button', { name: 'Cancel event' }).click();
    await expect(page.getByText('The event was cancelled before its endpoints were chosen')).toBeVisible();
    await expect(page.getByRole('button', { name: 'Cancel event' })).toHaveCount(0);
    const { body } = await client.call<{ status: string }>('GET', `/events/${scheduled}`);
    equal(body.status).toBe('cancelled');
    equal(faults).toEqual([]);
  });

  /** Adds `count` deliveries that wait for a retry in an hour. */
  const addWaiting = async (count: number) => {
    const url = new URL('/waiting', receiver.url).href;
    const { endpointId } = await client.subscribeEndpoint({ url, eventType: 'report.ready' });
    const [workspaceId, environmentId] = [
      fromId('ws', stack.workspaceId) ?? '',
      fromId('env', stack.environmentId) ?? '',
    ];
    const of = { workspaceId, environmentId, eventType: 'report.ready' };
    const ids = Array.from({ length: count }, () => newUuid(new Date()));
    const event = {
      ...of,
      contentType: 'application/json',
      payload: Buffer.from('sealed'),
      payloadSize: 6,
      published: true,
    };
    await stack.db.event.createMany({ data: ids.map((id) => ({ ...event, id })) });
    const dueAt = new Date(Date.now() + 3_600_000);
    const delivery = { ...of, endpointId: fromId('ep', endpointId) ?? '', status: 'scheduled_retry' as const, dueAt };
    await stack.db.delivery.createMany({ data: ids.map((id) => ({ ...delivery, id, eventId: id })) });
  };

  const rowAt = (page: Page, index: number) => page.locator(`tr[data-index="${index}"]`);

  test('the rows in sight of a long list stay where they are when a bulk operation ends, and show what it changed', async () => {
    await addWaiting(450);
    const { page, faults } = await visitPage(browser, stack.api.url + at('deliveries?type=report.ready'), session);
    await expect(rowAt(page, 0)).toBeVisible();
    const last = rowAt(page, 449);
    // The last row is rendered a little before it comes into view, and the position of a row is compared below.
    const scrolled = async () => {
      await page.mouse.wheel(0, 100_000);
      const isAtEnd = await page.evaluate<boolean>(
        'scrollY + innerHeight >= document.documentElement.scrollHeight - 1',
      );
      return isAtEnd && last.isVisible();
    };
    await waitFor(scrolled, { what: 'the last row', timeoutMs: 60_000 });
    const seen = rowAt(page, 440);
    await expect(seen.getByText(/^Retry /)).toBeVisible();
    const place = async () => ({
      y: (await seen.boundingBox())?.y,
      href: await seen.getByRole('link').getAttribute('href'),
    });
    const before = await place();
    const reads: URLSearchParams[] = [];
    page.on('request', (request) => {
      const { pathname, searchParams } = new URL(request.url());
      if (request.method() === 'GET' && pathname.endsWith('/deliveries')) reads.push(searchParams);
    });
    // A click with the mouse would scroll to the button first, and its menu is hidden while the button is out of view.
    await page.getByRole('button', { name: 'Retry or cancel all' }).dispatchEvent('click');
    await page.getByText('Cancel the open ones').dispatchEvent('click');
    await page.getByRole('button', { name: 'Cancel 450 deliveries' }).click();
    await expect(seen.getByText('Failed')).toBeVisible();
    await expect(page.getByRole('link', { name: /^Recovery: / })).toHaveCount(0);
    equal(await place()).toEqual(before);
    equal(reads.filter((read) => !read.has('cursor'))).toEqual([]);
    await page.evaluate('window.scrollTo(0, 0)');
    await expect(rowAt(page, 0).getByText('Failed')).toBeVisible();
    equal(faults).toEqual([]);
  });
});
