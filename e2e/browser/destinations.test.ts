import { afterAll, afterEach, expect as equal } from '@jest/globals';
import type { Browser, Page } from '@playwright/test';
import { type ApiClient, createApiClient } from '@posthorn/testkit/api-client';
import { seedSession } from '@posthorn/testkit/session';
import { type Services, startServices } from '../services-in-process.ts';
import { beforeAll, closePages, expect, inBrowser, launchBrowser, openTab, test, visitPage } from './browser.ts';

/**
 * The values for the form of RabbitMQ by their labels, and the endpoint's target. Other
 * types: destination-forms.test.ts.
 */
const TYPED = { Host: '127.0.0.1', Port: '2', Exchange: 'events', User: 'posthorn', Password: 'secret-canary' };
const TARGET = 'RabbitMQ 127.0.0.1:2/, exchange events';
const POLICY = "'^$' '^events$' '^$'";

inBrowser('the forms of endpoint types', () => {
  let stack: Services;
  let client: ApiClient;
  let browser: Browser;

  beforeAll(async () => {
    stack = await startServices({ settings: { ENDPOINT_TYPES: 'webhook,playground,nats,rabbitmq' } });
    client = createApiClient({ ...stack, baseUrl: stack.api.url });
    browser = await launchBrowser();
  });
  afterEach(() => closePages(browser));
  afterAll(async () => {
    await browser?.close();
    await stack?.stop();
  });

  /** Fills in the form of a new endpoint, and waits for its page. */
  async function add(page: Page, kindLabel: string) {
    await page.getByRole('button', { name: 'Add endpoint' }).first().click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('combobox', { name: kindLabel, exact: true }).click();
    await page.getByRole('option', { name: 'RabbitMQ', exact: true }).click();
    await expect(dialog.getByText(POLICY).first()).toBeVisible();
    for (const [field, value] of Object.entries(TYPED)) {
      await dialog.getByRole('textbox', { name: field, exact: true }).fill(value);
    }
    await dialog.getByRole('button', { name: 'Add endpoint' }).click();
    await expect(page.getByRole('heading', { level: 1, name: TARGET })).toBeVisible();
  }

  /** Changes a RabbitMQ endpoint in its form: a wrong value, a replaced password and a test. */
  async function edit(page: Page) {
    await openTab(page, 'Destination');
    const form = page.getByRole('region', { name: 'Destination' });
    await expect(form.getByRole('textbox', { name: 'Host', exact: true })).toHaveValue('127.0.0.1');
    await expect(form.getByLabel('Exchange')).toHaveValue('events');
    await expect(form.getByText('Stored, and never shown. Leave it empty to keep it.')).toHaveCount(2);
    await form.getByLabel('Routing key').fill('{{nobody}}');
    await form.getByRole('button', { name: 'Save destination' }).click();
    await expect(form.getByText(/has the unknown name "nobody"/i)).toHaveCount(1);
    await expect(form.getByLabel('Routing key')).toHaveAttribute('aria-invalid', 'true');
    await form.getByLabel('Routing key').fill('orders.{{eventType}}');
    await form.getByRole('textbox', { name: 'Password' }).fill('another-canary');
    await form.getByRole('button', { name: 'Save destination' }).click();
    await expect(form.getByText('Saved. It applies to every attempt from now on.')).toBeVisible();
    await expect(form.getByRole('textbox', { name: 'Password' })).toHaveValue('');
    await page.getByRole('button', { name: 'Send a test message' }).click();
    await expect(page.getByText(/^The connection was refused/)).toBeVisible();
    equal(await page.content()).not.toContain('canary');
  }

  test('an endpoint of a broker is added and changed in the dashboard, and every page names it by its target', async () => {
    const session = await seedSession(stack.db, { workspaceId: stack.workspaceId, role: 'owner' });
    const list = `${stack.api.url}/w/${stack.workspaceId}/production/endpoints`;
    const { page, faults } = await visitPage(browser, list, session);
    await add(page, 'Type');
    await edit(page);
    const { body } = await client.call<{ id: string; type: string }[]>('GET', '/endpoints');
    equal(body.map(({ type }) => type)).toEqual(['rabbitmq']);
    const sent = { endpointId: body[0]?.id, data: {} };
    const event = await client.call<{ id: string }>('POST', '/events', sent);
    equal(event.status).toBe(202);
    await page.goto(`${stack.api.url}/w/${stack.workspaceId}/production/events/${event.body.id}`);
    await expect(page.getByRole('table').getByRole('link', { name: TARGET })).toBeVisible();
    await page.goto(`${stack.api.url}/w/${stack.workspaceId}/production/operational-events`);
    await page.getByRole('combobox', { name: 'Send to' }).click();
    await expect(page.getByRole('option', { name: TARGET })).toBeVisible();
    const live = await client.call<{ id: string }>('POST', '/environments', { name: 'Live', slug: 'live' });
    equal(live.status).toBe(201);
    const promoted = `from=${stack.environmentId}&to=${live.body.id}`;
    await page.goto(`${stack.api.url}/w/${stack.workspaceId}/production/promote?${promoted}`);
    await expect(page.getByRole('region', { name: /^Endpoint ep_/ }).getByText(TARGET)).toBeVisible();
    const refused = faults.filter((fault) => !fault.includes('400'));
    equal(refused).toEqual([]);
  });

  test('a stored credential is removed by the form when it is saved, and not before', async () => {
    const nats = { type: 'nats', config: { destination: { servers: ['127.0.0.1:2'], subject: 'events' } } };
    const credentials = { user: 'posthorn', password: 'secret-canary' };
    const body = { ...nats, credentials, environmentId: stack.environmentId };
    const { status, body: made } = await client.call<{ id: string }>('POST', '/endpoints', body);
    equal(status).toBe(201);
    const namesOf = async () =>
      (await client.call<{ credentialNames: string[] }>('GET', `/endpoints/${made.id}`)).body.credentialNames;
    const session = await seedSession(stack.db, { workspaceId: stack.workspaceId, role: 'owner' });
    const url = `${stack.api.url}/w/${stack.workspaceId}/production/endpoints/${made.id}`;
    const { page, faults } = await visitPage(browser, url, session);
    await openTab(page, 'Destination');
    const form = page.getByRole('region', { name: 'Destination' });
    await form.getByRole('button', { name: 'Remove User' }).click();
    await form.getByRole('button', { name: 'Remove Password' }).click();
    await expect(form.getByText('It is removed when you save.')).toHaveCount(2);
    equal((await namesOf()).sort()).toEqual(['password', 'user']);
    await form.getByRole('button', { name: 'Save destination' }).click();
    await expect(form.getByText('Saved. It applies to every attempt from now on.')).toBeVisible();
    equal(await namesOf()).toEqual([]);
    await expect(form.getByText('It is removed when you save.')).toHaveCount(0);
    equal(faults).toEqual([]);
  });

  test('an endpoint of a broker is added and changed in the portal, on a phone', async () => {
    const application = await client.call<{ id: string }>('POST', '/applications', { name: 'Bolts' });
    const path = `/applications/${application.body.id}/portal-sessions`;
    const context = await browser.newContext({ viewport: { width: 390, height: 844 }, reducedMotion: 'reduce' });
    const page = await context.newPage();
    await page.goto((await client.call<{ url: string }>('POST', path, {})).body.url);
    await add(page, 'How it gets messages');
    await edit(page);
    equal(await page.evaluate('document.documentElement.scrollWidth <= 390')).toBe(true);
  });
});
