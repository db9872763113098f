import { afterAll, afterEach, expect as equal } from '@jest/globals';
import type { Browser } from '@playwright/test';
import type { Role } from '@posthorn/contract/access';
import { type ApiClient, createApiClient } from '@posthorn/testkit/api-client';
import { createIngest } from '@posthorn/testkit/ingest-client';
import { seedSession } from '@posthorn/testkit/session';
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

inBrowser('the page of an endpoint', () => {
  let stack: Services;
  let client: ApiClient;
  let browser: Browser;

  beforeAll(async () => {
    stack = await startServices({ settings: { RETRY_SCHEDULE: '3600', SWEEP_INTERVAL_MS: '500' } });
    client = createApiClient({ ...stack, baseUrl: stack.api.url });
    const example = { id: 'order_1', total: 1900 };
    const type = { name: 'order.created', example, publishIn: [stack.environmentId] };
    equal((await client.call('POST', '/event-types', type)).status).toBe(201);
    browser = await launchBrowser();
  });

  afterEach(() => closePages(browser));
  afterAll(async () => {
    await browser?.close();
    await stack?.stop();
  });

  /** Opens the list of endpoints for a new person with this role. */
  const openEndpoints = async (role: Role) => {
    const { workspaceId } = stack;
    const session = await seedSession(stack.db, { workspaceId, role });
    return visitPage(browser, `${stack.api.url}/w/${workspaceId}/production/endpoints`, session);
  };

  test('a playground shows what arrived, and its next answer makes the next attempt fail', async () => {
    const { page, faults } = await openEndpoints('owner');
    await page.getByRole('button', { name: 'Add endpoint' }).click();
    // The operator may have set a time limit other than the default.
    await expect(page.getByText('An https address that answers quickly.')).toBeVisible();
    await page.getByRole('combobox', { name: 'Type', exact: true }).click();
    await page.getByRole('option', { name: 'Playground' }).click();
    await page.getByRole('combobox', { name: 'Event types' }).click();
    await page.getByRole('option', { name: 'order.created' }).click();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Add endpoint' }).last().click();
    await expect(page.getByRole('heading', { name: 'playground' })).toBeVisible();

    await openTab(page, 'Inbox');
    const ingest = createIngest(stack);
    await ingest('event/order.created', JSON.stringify({ id: 'order_1', note: HOSTILE }));
    const arrived = page.getByRole('region', { name: 'Attempt 1' });
    await expect(arrived.getByText('The signature is genuine.')).toBeVisible();
    await expect(arrived.getByText('"id": "order_1"')).toBeVisible();

    await page.getByLabel('Status', { exact: true }).fill('500');
    await page.getByRole('button', { name: 'Answer like this' }).click();
    await expect(page.getByText('The next attempts are answered like this.')).toBeVisible();
    await ingest('event/order.created', JSON.stringify({ id: 'order_2' }));
    const arrivals = page.getByRole('list', { name: 'Arrived' }).getByRole('button');
    await expect(arrivals).toHaveCount(2);
    // What is read does not give way to what arrives.
    await expect(arrived.getByText('"id": "order_1"')).toBeVisible();
    await arrivals.first().click();
    await expect(arrived.getByText('"id": "order_2"')).toBeVisible();
    await expect(arrived.getByText('answered 500')).toBeVisible();

    const delay = page.getByLabel('After, in ms');
    await delay.fill('10001');
    await delay.press('Enter');
    await expect(delay).toHaveAccessibleDescription('Must be 0 to 10,000');

    await page.setViewportSize({ width: 390, height: 844 });
    await openTab(page, 'Overview');
    await page.goto(`${page.url()}?tab=advanced`);
    await expect(page.getByRole('tab', { name: 'Advanced' })).toBeInViewport({ ratio: 1 });
    equal(await page.evaluate('"hacked" in window')).toBe(false);
    equal(faults.filter((fault) => !fault.includes('status of 400'))).toEqual([]);
  });

  test('the schedule is drawn as it is typed, a filter is tested, and a test is sent', async () => {
    const { page, faults } = await openEndpoints('member');
    await page.getByRole('link', { name: 'playground' }).first().click();

    await expect(page.getByText('15 s, the default')).toBeVisible();
    // The default is that of this installation.
    await expect(page.getByText('1 over 1 h, the default')).toBeVisible();

    await openTab(page, 'Subscriptions');
    await page.getByRole('button', { name: 'Filter of order.created' }).click();
    const filter = page.getByRole('textbox', { name: 'Filter', exact: true });
    await filter.fill('{\n  "or": [{ "total": { "gte": 2000 } },\n    { "id": { "near": 1 } }]\n}');
    await expect(page.getByText(/^Line 3: filter\.or\[1\]\.id\.near is not an operator/)).toBeVisible();
    await filter.fill('{"total": {"gte": 2000}}');
    await expect(page.getByText('the sample has 1900')).toBeVisible();
    await expect(page.getByText('The sample does not match.')).toBeVisible();
    await page.getByRole('combobox', { name: 'Tested with' }).click();
    await page.getByRole('option', { name: /^msg_/ }).first().click();
    await expect(page.getByRole('textbox', { name: 'Sample payload' })).toHaveValue('{"id":"order_2"}');
    await expect(page.getByText('the sample has null')).toBeVisible();
    await page.getByRole('button', { name: 'Save filter' }).click();
    // The form shows the filter in words before it is saved.
    const list = page.getByRole('table', { name: 'Subscriptions' });
    await expect(list.getByText('total is at least 2000')).toBeVisible();
    const all = page.getByRole('switch', { name: 'All events' });
    await all.click({ force: true });
    await expect(page.getByText('The endpoint subscribes to every event type.')).toBeVisible();
    await expect(all).toBeChecked();
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect(all).not.toBeChecked();

    await openTab(page, 'Testing');
    await expect(page.getByRole('textbox', { name: 'Body' })).toHaveValue(/"total": 1900/);
    await page.getByRole('button', { name: 'Send test' }).click();
    await expect(page.getByText('The endpoint answered 500.')).toBeVisible();

    await openTab(page, 'Advanced');
    const preview = page.getByRole('region', { name: 'This is what will be sent' });
    await page.getByText('CloudEvents', { exact: true }).click();
    await expect(preview.getByText('"datacontenttype": "application/json"')).toBeVisible();
    await preview.getByRole('combobox', { name: 'Payload' }).click();
    await page.getByRole('option', { name: /^msg_/ }).last().click();
    await expect(preview.getByText('"data": {"id":"order_1"')).toBeVisible();
    await page.getByText('Its own').click();
    await page.getByLabel('Time before each retry').fill('1 min, 1 h');
    await expect(page.getByText('2 retries, the last one 1 h 1 min after the first attempt.')).toBeVisible();
    await page.getByRole('button', { name: 'Save settings' }).click();
    await expect(page.getByText('Saved.')).toBeVisible();
    // The refused filter is the only fault.
    equal(faults.filter((fault) => !fault.includes('status of 400'))).toEqual([]);
  });

  test('a transformation is tried while it is typed, and a test is sent as it showed', async () => {
    const { page, faults } = await openEndpoints('member');
    await page.getByRole('link', { name: 'playground' }).first().click();
    await openTab(page, 'Transformation');
    const result = page.getByRole('region', { name: 'Result' });
    await expect(result.getByText('"total": 1900')).toBeVisible();
    await page.getByRole('combobox', { name: 'Start from' }).click();
    await page.getByRole('option', { name: 'Slack' }).click();
    await expect(result.getByText('"*total*\\n1900"')).toBeVisible();

    const code = page.getByRole('textbox', { name: 'Code' });
    await code.fill('function transform(event) {\n  return { data: event.data.customer.name };\n}');
    await expect(page.getByText(/^Line 2, column \d+: TypeError/).first()).toBeVisible();
    // A ready-made one replaces what was typed after a question.
    await page.getByRole('combobox', { name: 'Start from' }).click();
    await page.getByRole('option', { name: 'Slack' }).click();
    const asked = page.getByRole('dialog', { name: 'Replace the code?' });
    await asked.getByRole('button', { name: 'Cancel' }).click();
    await expect(asked).toHaveCount(0);
    await expect(code).toHaveValue(/event\.data\.customer\.name/);
    await code.fill('function transform(event {}');
    await page.getByRole('button', { name: 'Save transformation' }).click();
    await expect(page.getByText(/^Does not work: SyntaxError/)).toBeVisible();
    await code.fill("function transform() { return { cancel: 'not wanted' }; }");
    await expect(result.getByText('not wanted')).toBeVisible();

    const made = "console.log('seen');\n  return { data: { order: event.data.id }, headers: { 'X-Team': 'billing' } };";
    await code.fill(`function transform(event) {\n  ${made}\n}`);
    await expect(result.getByText('"order": "order_1"')).toBeVisible();
    await expect(result.getByText('billing')).toBeVisible();
    await expect(result.getByText('seen')).toBeVisible();
    await page.getByRole('combobox', { name: 'Run with' }).click();
    // The newest message is the test that was sent.
    await page.getByRole('option', { name: /^msg_/ }).nth(1).click();
    await expect(result.getByText('"order": "order_2"')).toBeVisible();
    await page.getByRole('button', { name: 'Save transformation' }).click();
    await expect(page.getByText('Saved. It applies to every attempt from now on.')).toBeVisible();

    await openTab(page, 'Testing');
    await page.getByRole('button', { name: 'Send test' }).click();
    await expect(page.getByText('The endpoint answered 500.')).toBeVisible();
    // The attempt has the message that was chosen, not the example.
    await expect(page.getByRole('region', { name: 'Attempt 1' }).getByText('"order": "order_1"')).toBeVisible();
    await openTab(page, 'Inbox');
    await expect(page.getByText('"order": "order_1"')).toBeVisible();
    await openTab(page, 'Transformation');
    await page.getByRole('button', { name: 'Remove' }).click();
    await expect(page.getByText('Removed.')).toBeVisible();
    // The refused code, and a try while the machine was busy, are the only faults. The next try shows the result.
    equal(faults.filter((fault) => !/status of (400|503)/.test(fault))).toEqual([]);
  });

  test('the open page of an endpoint that was deactivated elsewhere says so, and offers to activate it', async () => {
    const { workspaceId, environmentId } = stack;
    const session = await seedSession(stack.db, { workspaceId, role: 'owner' });
    const url = 'https://127.0.0.1/watched';
    const endpoint = await client.call<{ id: string }>('POST', '/endpoints', { url, environmentId });
    equal(endpoint.status).toBe(201);
    const path = `/endpoints/${endpoint.body.id}`;
    const { page, faults } = await visitPage(browser, `${stack.api.url}/w/${workspaceId}/production${path}`, session);
    await expect(page.getByRole('button', { name: 'Deactivate' })).toBeVisible();
    equal((await client.call('PATCH', path, { isActive: false })).status).toBe(200);
    await expect(page.getByRole('button', { name: 'Activate', exact: true })).toBeVisible({ timeout: 30_000 });
    await expect(page.getByText('by a person or a token')).toBeVisible();
    await client.call('DELETE', path);
    equal(faults).toEqual([]);
  });

  test('a test is marked where it is listed and on its page, and is retried neither by a button nor by a key', async () => {
    const { page, faults } = await openEndpoints('owner');
    const { body } = await client.call<{ id: string }[]>('GET', '/endpoints');
    equal((await client.call('POST', `/endpoints/${body[0]?.id}/test`, { payload: {} })).status).toBe(200);
    await page.getByRole('link', { name: 'Overview' }).click();
    const live = page.getByRole('region', { name: 'Live deliveries' });
    await expect(live.getByText('test', { exact: true }).first()).toBeVisible();
    await page.getByRole('link', { name: 'Deliveries', exact: true }).click();
    const row = page.getByRole('row').filter({ has: page.getByText('test', { exact: true }) });
    await row.getByRole('link', { name: 'without a type' }).click();
    await expect(page.getByRole('heading', { name: 'Attempt 1' })).toBeVisible();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Without a typetest');
    await expect(page.getByText(/^The test failed, and a test is sent once\./)).toBeVisible();
    await expect(page.getByRole('button', { name: 'Retry' })).toHaveCount(0);
    const changes: string[] = [];
    page.on('request', (request) => request.method() === 'POST' && changes.push(request.url()));
    await page.keyboard.press('r');
    await page.getByRole('button', { name: 'Copy as curl' }).click();
    await expect(page.getByRole('dialog')).toBeVisible();
    equal(changes).toEqual([]);
    equal(faults).toEqual([]);
  });

  test('a payload that was erased on the page of its event has left the inbox of its playground', async () => {
    const { environmentId, workspaceId } = stack;
    const body = { type: 'playground', environmentId };
    const { id } = (await client.call<{ id: string }>('POST', '/endpoints', body)).body;
    equal((await createIngest(stack)(id, JSON.stringify({ card: 'canary-4111' }))).status).toBe(202);
    const session = await seedSession(stack.db, { workspaceId, role: 'member' });
    const inbox = `${stack.api.url}/w/${workspaceId}/production/endpoints/${id}?tab=inbox`;
    const { page, faults } = await visitPage(browser, inbox, session);
    await expect(page.getByText('canary-4111')).toBeVisible();
    await page.getByRole('link', { name: 'Open the delivery' }).click();
    await page.getByRole('link', { name: /^msg_/ }).click();
    await page.getByRole('button', { name: 'Erase payload' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Erase payload' }).click();
    await expect(page.getByText('The payload is erased.')).toBeVisible();
    await page.goBack();
    await page.goBack();
    await expect(page.getByText('The body is not shown: your role may not see payloads, or it is gone.')).toBeVisible();
    await expect(page.getByText('canary-4111')).toHaveCount(0);
    equal(faults).toEqual([]);
  });

  test('settings that somebody else has saved since the page was opened stay', async () => {
    const url = 'https://127.0.0.1/advanced';
    const { environmentId } = stack;
    const { id } = (await client.call<{ id: string }>('POST', '/endpoints', { url, environmentId })).body;
    const { page, faults } = await openEndpoints('member');
    await page.getByRole('link', { name: url }).first().click();
    await openTab(page, 'Advanced');
    const concurrency = page.getByLabel('At once, at most');
    await expect(concurrency).toHaveValue('');
    const theirs = { description: 'Theirs', config: { timeoutSeconds: 7 } };
    equal((await client.call('PATCH', `/endpoints/${id}`, theirs)).status).toBe(200);
    await concurrency.fill('3');
    await page.getByRole('button', { name: 'Save settings' }).click();
    await expect(page.getByText('Saved.')).toBeVisible();
    await expect(page.getByLabel('Timeout, in seconds')).toHaveValue('7');
    equal((await client.call('GET', `/endpoints/${id}`)).body).toMatchObject({
      description: 'Theirs',
      config: { timeoutSeconds: 7, maxConcurrency: 3 },
    });
    equal(faults).toEqual([]);
  });

  test('a form of one part of the config leaves the other parts as somebody else has saved them meanwhile', async () => {
    const url = 'https://127.0.0.1/parts';
    const { environmentId } = stack;
    const { id } = (await client.call<{ id: string }>('POST', '/endpoints', { url, environmentId })).body;
    const configNow = async () => (await client.call<{ config: object }>('GET', `/endpoints/${id}`)).body.config;
    const saveTimeout = async (timeoutSeconds: number) => {
      const config = { ...(await configNow()), timeoutSeconds };
      equal((await client.call('PATCH', `/endpoints/${id}`, { config })).status).toBe(200);
    };
    const { page, faults } = await openEndpoints('member');
    await page.getByRole('link', { name: url }).first().click();
    await openTab(page, 'Security');
    await page.getByRole('button', { name: /^TLS/ }).click();
    const tls = page.getByRole('region', { name: 'TLS' });
    await tls.getByLabel('Host in the certificate').fill('hooks.example.com');
    await saveTimeout(7);
    await tls.getByRole('button', { name: 'Save TLS' }).click();
    await expect(tls.getByText('Saved.')).toBeVisible();
    equal(await configNow()).toMatchObject({ timeoutSeconds: 7, tls: { serverName: 'hooks.example.com' } });
    await openTab(page, 'Transformation');
    await expect(page.getByRole('textbox', { name: 'Code' })).toBeVisible();
    await saveTimeout(8);
    await page.getByRole('button', { name: 'Save transformation' }).click();
    await expect(page.getByText('Saved. It applies to every attempt from now on.')).toBeVisible();
    equal(await configNow()).toMatchObject({ timeoutSeconds: 8, transformation: { language: 'javascript' } });
    // A try while the machine was busy is the only fault.
    equal(faults.filter((fault) => !fault.includes('status of 503'))).toEqual([]);
  });

  test('a rotation replaces the secret, and says until when the old one signs, too', async () => {
    const { body: made } = await client.call<{ id: string; secret: string }>('POST', '/endpoints', {
      ...{ type: 'playground', environmentId: stack.environmentId },
    });
    const { page, faults } = await openEndpoints('owner');
    await page.goto(`${page.url()}/${made.id}?tab=security`);
    const secret = page.getByRole('textbox', { name: 'Signing secret' });
    await expect(secret).toHaveValue(made.secret);
    await page.getByRole('button', { name: 'Rotate …' }).click();
    const dialog = page.getByRole('dialog', { name: 'Rotate the secret?' });
    await expect(dialog.getByRole('status')).toHaveText('Both secrets sign for 1 d.');
    await dialog.getByRole('button', { name: 'Rotate secret' }).click();
    await expect(page.getByRole('status').filter({ hasText: /^Both secrets sign until .* UTC\.$/ })).toBeVisible();
    const { body: rotated } = await client.call<{ secret: string }>('GET', `/endpoints/${made.id}`);
    equal(rotated.secret).not.toBe(made.secret);
    await expect(secret).toHaveValue(rotated.secret);
    equal(faults).toEqual([]);
  });

  test('a viewer sees, and is offered no change', async () => {
    const { page } = await openEndpoints('viewer');
    await page.getByRole('link', { name: 'playground' }).first().click();
    await openTab(page, 'Security');
    await expect(page.getByText('Your role may not see the secret.')).toBeVisible();
    for (const name of ['Deactivate', 'Delete …', 'Rotate …', 'Set header']) {
      await expect(page.getByRole('button', { name })).toHaveCount(0);
    }
  });

  test('a pull endpoint shows its first key once, what waits, and what a program would fetch', async () => {
    const { page, faults } = await openEndpoints('owner');
    await page.getByRole('button', { name: 'Add endpoint' }).click();
    await page.getByRole('combobox', { name: 'Type', exact: true }).click();
    await page.getByRole('option', { name: 'Pull' }).click();
    await page.getByRole('button', { name: 'Add endpoint' }).last().click();
    await expect(page.getByText(/^phpl_/)).toBeVisible();
    await page.getByRole('button', { name: 'I have copied it' }).click();
    await openTab(page, 'Fetching');
    const keys = page.getByRole('region', { name: 'Pull keys' });
    await expect(keys.getByRole('listitem')).toHaveCount(1);

    const endpoints = (await client.call<{ id: string; type: string }[]>('GET', '/endpoints')).body;
    const id = endpoints.find(({ type }) => type === 'pull')?.id;
    await createIngest(stack)(String(id), JSON.stringify({ id: 'order_3', note: HOSTILE }));
    await page.getByRole('button', { name: 'Lease 10 now …' }).click();
    await page.getByRole('button', { name: 'Lease 10 now', exact: true }).click();
    await expect(page.getByText('"order_3"')).toBeVisible();
    const waiting = page.getByRole('region', { name: 'Waiting' });
    await expect(waiting.getByText('1', { exact: true })).toBeVisible();
    await expect(keys.getByRole('listitem')).toHaveCount(1);

    await keys.getByRole('button', { name: 'Create pull key' }).click();
    await page.getByLabel('Name').fill('The warehouse');
    await page.getByRole('dialog').getByRole('button', { name: 'Create pull key' }).click();
    await page.getByRole('button', { name: 'I have copied it' }).click();
    await expect(keys.getByText('The warehouse')).toBeVisible();
    await keys.getByRole('button', { name: 'Delete The warehouse' }).click();
    await page.getByRole('button', { name: 'Delete pull key' }).click();
    await expect(keys.getByText('The warehouse')).toHaveCount(0);
    equal(await page.evaluate('"hacked" in window')).toBe(false);
    equal(faults).toEqual([]);
  });
});
