import { afterAll, afterEach, expect as equal } from '@jest/globals';
import type { Browser } from '@playwright/test';
import { type ApiClient, createApiClient } from '@posthorn/testkit/api-client';
import { createIngest } from '@posthorn/testkit/ingest-client';
import { type Receiver, startReceiver } from '@posthorn/testkit/receiver';
import { seedSession } from '@posthorn/testkit/session';
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
  test,
  visitPage,
} from './browser.ts';

const JSON_BODY = { 'content-type': 'application/json' };
inBrowser('the dashboard starts from the customer', () => {
  let stack: Services;
  let client: ApiClient;
  let receiver: Receiver;
  let browser: Browser;
  let session: string;
  let acme: string;

  beforeAll(async () => {
    receiver = await startReceiver();
    receiver.respondWith(({ url }) => ({ status: url.includes('acme') ? 500 : 200 }));
    stack = await startServices({ settings: { RETRY_SCHEDULE: '3600', SWEEP_INTERVAL_MS: '500' } });
    client = createApiClient({ ...stack, baseUrl: stack.api.url });
    const type = { name: 'invoice.created', publishIn: [stack.environmentId], example: { id: 'inv_1' } };
    await create('/event-types', type);
    await create('/event-types', { name: 'invoice.paid', publishIn: [stack.environmentId] });
    acme = await create('/applications', { name: `ACME ${HOSTILE}`, externalId: 'acme_1' });
    const globex = await create('/applications', { name: 'Globex' });
    for (const [application, path] of [
      [acme, '/acme'],
      [globex, '/globex'],
    ] as const) {
      const endpoint = { url: new URL(path, receiver.url).href, eventTypes: ['invoice.created'] };
      await create(`/applications/${application}/endpoints`, endpoint);
      const headers = {
        ...JSON_BODY,
        'x-application-id': application,
        'idempotency-key': `invoice-of${path.replace('/', '-')}`,
      };
      equal((await createIngest(stack)('event/invoice.created', '{"id":"inv_7"}', headers)).status).toBe(202);
    }
    const headers = { ...JSON_BODY, 'x-application-id': acme };
    equal((await createIngest(stack)('event/invoice.paid', '{"id":"inv_8"}', headers)).status).toBe(202);
    const isAttempted = async () => {
      const { body } = await client.call<{ deliveries: { status: string }[] }>('GET', '/deliveries');
      return (
        body.deliveries.filter(({ status }) => status === 'scheduled_retry' || status === 'delivered').length === 2
      );
    };
    await waitFor(isAttempted, { what: 'the first attempts', timeoutMs: 60_000 });
    session = await seedSession(stack.db, { workspaceId: stack.workspaceId, role: 'owner' });
    browser = await launchBrowser();
  });

  afterEach(() => closePages(browser));
  afterAll(async () => {
    await browser?.close();
    await stack?.stop();
    await receiver?.close();
  });

  const create = async (path: string, body: object) => {
    const created = await client.call<{ id: string }>('POST', path, body);
    equal([path, created.status]).toEqual([path, 201]);
    return created.body.id;
  };

  const visit = (page: string) =>
    visitPage(browser, `${stack.api.url}/w/${stack.workspaceId}/production/${page}`, session);

  test('why a customer did not get an event takes three clicks from the first page', async () => {
    const { page, faults } = await visit('overview');
    await expect(page).toHaveTitle('Overview · Posthorn');
    await page.getByRole('link', { name: 'Customers' }).click();
    await page.getByRole('link', { name: /^ACME/ }).click();
    await expect(page).toHaveTitle(/^ACME .* · Posthorn$/);
    const notDelivered = page.getByRole('region', { name: 'Not delivered' });
    await notDelivered.getByRole('link', { name: 'invoice.created' }).click();
    await expect(page.getByText('The endpoint answered 500.')).toBeVisible();
    await expect(page.getByRole('link', { name: /^ACME/ })).toBeVisible();

    // This event matched no endpoint, so it has no delivery.
    await page.getByRole('link', { name: /^ACME/ }).click();
    const events = page.getByRole('region', { name: 'Last events' });
    await events.getByRole('link', { name: 'invoice.paid' }).click();
    await expect(page.getByRole('heading', { name: 'Trace' })).toBeVisible();
    await expect(page.getByText('not subscribed').first()).toBeVisible();
    await expect(page.getByRole('link', { name: /^ACME/ })).toBeVisible();
    equal(await page.evaluate('"hacked" in window')).toBe(false);
    equal(faults).toEqual([]);
  });

  test('search finds by name, URL, type and key, in groups, and Enter opens the first', async () => {
    const { page, faults } = await visit('overview');
    await expect(page.getByRole('heading', { name: 'Overview' })).toBeVisible();
    const search = async (text: string) => {
      await page.keyboard.press('/');
      await page.getByRole('combobox', { name: 'Search' }).fill(text);
    };
    await search('acme');
    const findings = page.getByRole('listbox', { name: 'Findings' });
    await expect(findings.getByText('Customers')).toBeVisible();
    await expect(findings.getByText('Endpoints')).toBeVisible();
    await expect(findings.getByRole('option').first()).toHaveAttribute('aria-selected', 'true');
    await page.keyboard.press('Enter');
    await expect(page.getByRole('heading', { level: 1, name: /^ACME/ })).toBeVisible();
    await search('invoice-of-globex');
    await page.keyboard.press('Enter');
    await expect(page.getByRole('heading', { name: 'Trace' })).toBeVisible();
    await expect(page.getByRole('link', { name: 'Globex', exact: true })).toBeVisible();
    await search('invoice.');
    await expect(findings.getByRole('option')).toHaveCount(2);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await expect(page.getByRole('heading', { level: 1, name: 'Event types' })).toBeVisible();
    equal(page.url()).toContain('search=invoice.');
    await search('nothing has this name');
    await expect(page.getByText('Nothing was found.')).toBeVisible();
    equal(faults).toEqual([]);
  });

  test('endpoints and deliveries say whose they are, and are filtered by it', async () => {
    const { page, faults } = await visit('deliveries');
    const deliveries = page.getByRole('table', { name: 'Deliveries' });
    await expect(deliveries.getByRole('link', { name: 'Globex' })).toBeVisible();
    await expect(deliveries.getByRole('link', { name: /^ACME/ })).toBeVisible();
    await page.getByRole('combobox', { name: 'Customer' }).click();
    await page.getByRole('option', { name: /^ACME/ }).click();
    await expect(deliveries.getByRole('row')).toHaveCount(2);
    equal(new URL(page.url()).searchParams.get('customer')).toBe(acme);

    await page
      .getByRole('navigation', { name: 'Pages' })
      .getByRole('link', { name: /^Endpoints/ })
      .click();
    const endpoints = page.getByRole('table', { name: 'Endpoints' });
    await expect(endpoints.getByRole('row')).toHaveCount(3);
    await page.getByRole('combobox', { name: 'Customer' }).click();
    await page.getByRole('option', { name: 'Globex' }).click();
    await expect(endpoints.getByRole('row')).toHaveCount(2);
    await endpoints.getByRole('link', { name: 'Globex', exact: true }).click();
    await expect(page.getByRole('heading', { level: 1, name: 'Globex' })).toBeVisible();
    equal(faults).toEqual([]);
  });

  test('a customer is renamed, and gets an endpoint that its page then leads to', async () => {
    const { page, faults } = await visit(`customers/${acme}`);
    await page.getByRole('button', { name: 'Edit' }).click();
    const [name, externalId] = [page.getByLabel('Name'), page.getByLabel('External id')];
    await name.fill('x'.repeat(300));
    await externalId.fill('\u00e4');
    await page.getByRole('button', { name: 'Save customer' }).click();
    await expect(name).toHaveAccessibleDescription(/Must /);
    await expect(name).toBeFocused();
    await expect(externalId).toHaveAccessibleDescription(/Must /);
    await expect(page.getByRole('dialog').getByRole('alert')).toHaveCount(0);
    await name.fill('ACME Corporation');
    await page.getByLabel('External id').fill('acme_2');
    await page.getByLabel('Metadata').fill('plan: enterprise');
    await page.getByRole('button', { name: 'Save customer' }).click();
    await expect(page.getByRole('heading', { level: 1, name: 'ACME Corporation' })).toBeVisible();
    await expect(page.getByText('enterprise')).toBeVisible();
    await expect(page.getByText('acme_2')).toBeVisible();

    await page.getByRole('button', { name: 'Add endpoint' }).click();
    await page.getByRole('textbox', { name: 'URL' }).fill(new URL('/second', receiver.url).href);
    await page.getByRole('dialog').getByRole('button', { name: 'Add endpoint' }).click();
    await expect(page.getByRole('heading', { level: 1, name: /second/ })).toBeVisible();
    await openTab(page, 'Overview');
    await page.getByRole('link', { name: 'ACME Corporation' }).first().click();
    const endpoints = page.getByRole('table', { name: 'Endpoints of the customer' });
    await expect(endpoints.getByRole('link', { name: /second$/ })).toBeVisible();
    const second = endpoints.getByRole('row').filter({ hasText: 'second' });
    await expect(second).toContainText('Subscribed to nothing');

    // The customer's page must show a change that was made on the endpoint's page at once.
    await second.getByRole('link', { name: /second$/ }).click();
    await page.getByRole('button', { name: 'Deactivate' }).click();
    await expect(page.getByRole('button', { name: 'Activate', exact: true })).toBeVisible();
    await page.getByRole('link', { name: 'ACME Corporation' }).first().click();
    await expect(second).toContainText('Inactive');
    await second.getByRole('link', { name: /second$/ }).click();
    await page.getByRole('button', { name: 'Delete …' }).click();
    await page.getByRole('button', { name: 'Delete endpoint' }).click();
    await expect(page.getByRole('heading', { level: 1, name: 'Endpoints' })).toBeVisible();
    await page.getByRole('link', { name: 'ACME Corporation' }).first().click();
    await expect(endpoints.getByRole('link', { name: /acme$/ })).toBeVisible();
    await expect(second).toHaveCount(0);
    // The refused name and the refused external id are the only faults.
    equal(faults.filter((fault) => !fault.includes('status of 400'))).toEqual([]);
  });

  test('j moves in one list of the page of a customer alone, and stays at its row when another comes above it', async () => {
    const rule = { channel: 'slack', target: 'https://localhost/hook', events: ['posthorn.endpoint.failing'] };
    await create('/alert-rules', { ...rule, name: 'For ACME', applicationId: acme });
    const { page, faults } = await visit(`customers/${acme}`);
    const notDelivered = page.getByRole('table', { name: 'Not delivered' });
    const alerts = page.getByRole('table', { name: 'Alerts' });
    await expect(notDelivered.getByRole('link', { name: 'invoice.created' }).first()).toBeVisible();
    await expect(alerts.getByText('For ACME')).toBeVisible();
    await page.keyboard.press('j');
    await expect(notDelivered.locator('tr[class*="active"]')).toHaveCount(1);
    await expect(alerts.locator('tr[class*="active"]')).toHaveCount(0);
    const hrefs = () =>
      notDelivered.getByRole('link', { name: 'invoice.created' }).evaluateAll((links) => links.map(String));
    const before = await hrefs();
    const headers = { ...JSON_BODY, 'x-application-id': acme };
    equal((await createIngest(stack)('event/invoice.created', '{"id":"inv_9"}', headers)).status).toBe(202);
    await waitFor(async () => (await hrefs())[1] === before[0], { what: 'the newer delivery', timeoutMs: 30_000 });
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL(before[0] ?? '');
    equal(faults).toEqual([]);
  });

  test('the empty lists of a new customer have their buttons: an event for it, and an endpoint of it', async () => {
    const id = await create('/applications', { name: 'Initech' });
    const { page, faults } = await visit(`customers/${id}`);
    const events = page.getByRole('region', { name: 'Last events' });
    await events.getByRole('button', { name: 'Send event' }).click();
    const sheet = page.getByRole('dialog', { name: 'Send event' });
    await expect(sheet.getByRole('combobox', { name: 'Customer' })).toHaveValue('Initech');
    await sheet.getByRole('combobox', { name: 'Event type' }).click();
    await page.getByRole('option', { name: 'invoice.created' }).click();
    await sheet.getByRole('button', { name: 'Send event' }).click();
    await expect(page.getByRole('heading', { name: 'Trace' })).toBeVisible();
    await page.getByRole('link', { name: 'Initech', exact: true }).first().click();
    const endpoints = page.getByRole('region', { name: /^Endpoints in/ });
    await endpoints.getByRole('button', { name: 'Add endpoint' }).click();
    await page.getByRole('textbox', { name: 'URL' }).fill(new URL('/initech', receiver.url).href);
    await page.getByRole('dialog').getByRole('button', { name: 'Add endpoint' }).click();
    await expect(page.getByRole('heading', { level: 1, name: /initech/ })).toBeVisible();
    equal(faults).toEqual([]);
  });

  test('an event is sent with the example of its type, and leads to its trace', async () => {
    const { page, faults } = await visit('events');
    await page.getByRole('button', { name: 'Send event' }).click();
    const sheet = page.getByRole('dialog', { name: 'Send event' });
    await sheet.getByRole('combobox', { name: 'Event type' }).click();
    await page.getByRole('option', { name: 'invoice.created' }).click();
    await expect(sheet.getByRole('textbox', { name: 'Payload' })).toHaveValue(/"id": "inv_1"/);
    await sheet.getByRole('combobox', { name: 'Customer' }).click();
    await page.getByRole('option', { name: 'Globex' }).click();
    const key = sheet.getByRole('textbox', { name: 'Idempotency key' });
    await key.fill('\u00e4');
    await sheet.getByRole('button', { name: 'Send event' }).click();
    await expect(key).toHaveAccessibleDescription(/Must /);
    await key.fill('sent-by-hand');
    await sheet.getByRole('button', { name: 'Send event' }).click();
    await expect(page.getByRole('heading', { name: 'Trace' })).toBeVisible();
    await expect(page.getByText('sent-by-hand')).toBeVisible();
    await expect(page.getByRole('link', { name: 'Globex', exact: true })).toBeVisible();
    const hasArrived = () => receiver.requests.some(({ url, body }) => url === '/globex' && body.includes('inv_1'));
    await waitFor(hasArrived, { what: 'the example at the endpoint of the customer' });
    // The refused key is the only fault.
    equal(faults.filter((fault) => !fault.includes('status of 400'))).toEqual([]);
  });
});
