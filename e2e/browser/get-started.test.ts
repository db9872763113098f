import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, afterEach, expect as equal } from '@jest/globals';
import type { Browser } from '@playwright/test';
import { createApiClient } from '@posthorn/testkit/api-client';
import { seedSession } from '@posthorn/testkit/session';
import { type Services, startServices } from '../services-in-process.ts';
import {
  addPerson,
  awaitContent,
  beforeAll,
  closePages,
  expect,
  inBrowser,
  type Login,
  launchBrowser,
  logIn,
  test,
  visitPage,
} from './browser.ts';

inBrowser('Get started', () => {
  let stack: Services;
  let browser: Browser;
  let owner: Login;
  let session: string;

  beforeAll(async () => {
    stack = await startServices({ settings: { SWEEP_INTERVAL_MS: '500' } });
    owner = await addPerson(stack, 'owner');
    session = await seedSession(stack.db, { workspaceId: stack.workspaceId, role: 'owner' });
    browser = await launchBrowser();
  });

  afterEach(() => closePages(browser));
  afterAll(async () => {
    await browser?.close();
    await stack?.stop();
  });

  test('a type that was created elsewhere after the page was read is published, and the steps go on with it', async () => {
    const client = createApiClient({ ...stack, baseUrl: stack.api.url });
    const { page } = await visitPage(browser, stack.api.url, session);
    const create = page.getByRole('button', { name: 'Create event type' });
    await expect(create).toBeEnabled();
    const { body } = await client.call<{ id: string }>('POST', '/event-types', { name: 'order.created' });
    const refused = page.waitForResponse((answer) => answer.status() === 409);
    await create.click();
    await refused;
    await expect(page.getByRole('button', { name: 'Add playground' })).toBeEnabled();
    await expect(page.getByRole('alert')).toHaveCount(0);
    equal((await client.call('DELETE', `/event-types/${body.id}`)).status).toBe(204);
  });

  test('five buttons lead from an empty workspace to an event that failed twice and was delivered', async () => {
    const { page, faults } = await visitPage(browser, stack.api.url);
    await logIn(page, owner);
    await expect(page.getByRole('heading', { name: 'Get started' })).toBeVisible();
    await page.getByRole('button', { name: 'Create event type' }).click();
    // The first response of the subscription is unreadable, so the step is taken twice.
    await page.route('**/subscriptions', (route) => route.fulfill({ body: 'cut off' }), { times: 1 });
    await page.getByRole('button', { name: 'Add playground' }).click();
    await expect(page.getByRole('alert')).toBeVisible();
    await page.getByRole('button', { name: 'Add playground' }).click();
    await page.getByRole('button', { name: 'Create API key' }).click();
    equal(await stack.db.endpoint.count()).toBe(1);
    await page.getByRole('button', { name: 'Send event' }).click();
    const inbox = page.getByRole('region', { name: 'Inbox of the playground' });
    await expect(inbox.getByText('"id":"order_1"')).toBeVisible();
    await page.getByRole('button', { name: 'Fail twice and send' }).click();
    await expect(inbox.getByText('Attempt 2: 500')).toBeVisible();
    await expect(page.getByText('It arrived with attempt 3.')).toBeVisible();
    await expect(inbox.getByText('Attempt 3: 200')).toBeVisible();
    await page.getByRole('link', { name: 'See every attempt of this delivery' }).click();
    await expect(page.getByRole('heading', { name: 'Attempt 3' })).toBeVisible();
    equal(faults).toEqual([]);
  });

  test('a workspace with an endpoint opens on its overview, and every page of the side bar opens without a fault', async () => {
    const { page, faults } = await visitPage(browser, stack.api.url, session);
    await expect(page.getByRole('heading', { name: 'Overview' })).toBeVisible();
    await expect(
      page.getByRole('region', { name: 'Live deliveries' }).getByText('order.created').first(),
    ).toBeVisible();
    for (const name of [
      'Events',
      'Deliveries',
      'Operations',
      'Customers',
      'Access',
      'Audit log',
      'Settings',
      'Queues',
    ]) {
      await page.getByRole('navigation').getByRole('link', { name }).click();
      await expect(page.getByRole('heading', { name, level: 1 })).toBeVisible();
      await awaitContent(page);
    }
    equal(faults).toEqual([]);
  });

  test('a playground that was set to fail is left as it is, and the steps go on with a new one', async () => {
    const client = createApiClient({ ...stack, baseUrl: stack.api.url });
    const { id } = (await client.call<{ id: string }[]>('GET', '/endpoints')).body[0] ?? { id: '' };
    const config = { playground: { status: 500 } };
    equal((await client.call('PATCH', `/endpoints/${id}`, { config })).status).toBe(200);
    const { page, faults } = await visitPage(
      browser,
      `${stack.api.url}/w/${stack.workspaceId}/production/get-started`,
      session,
    );
    await page.getByRole('button', { name: 'Add playground' }).click();
    await page.getByRole('button', { name: 'Create API key' }).click();
    await page.getByRole('button', { name: 'Send event' }).click();
    await expect(page.getByText('It arrived in the inbox.')).toBeVisible();
    equal((await client.call('GET', `/endpoints/${id}`)).body.config).toMatchObject(config);
    equal(faults).toEqual([]);
  });

  test('in a second workspace the commands carry a token of it, and one that is pasted in a shell works', async () => {
    const headers = { authorization: `Bearer ${session}`, 'content-type': 'application/json' };
    const made = await fetch(`${stack.api.url}/api/workspaces`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ name: 'Second', slug: 'second' }),
    });
    const second = (await made.json()) as { id: string; slug: string };
    const { page } = await visitPage(browser, `${stack.api.url}/w/${second.id}/production/get-started`, session);
    await expect(page.getByRole('heading', { name: 'Get started' })).toBeVisible();
    const command = page.locator('pre').filter({ hasText: '/event-types' }).first();
    await expect(command).toContainText('$WORKSPACE_TOKEN');
    await page.getByRole('button', { name: 'Create a token for one day' }).click();
    await expect(command).toContainText('Bearer phm_');
    const text = (await command.textContent()) ?? '';
    // The services run in this process, so it must not block while the command runs.
    const { stdout } = await promisify(execFile)('bash', ['-c', `${text} -sS`]);
    equal(JSON.parse(stdout)).toMatchObject({ name: 'order.created' });
    const types = await createApiClient({ ...stack, baseUrl: stack.api.url }).call<unknown[]>('GET', '/event-types');
    equal(JSON.stringify(types.body)).not.toContain(JSON.parse(stdout).id);
  });

  test('an API key whose answer arrives after the page was left is told of', async () => {
    const { page } = await visitPage(
      browser,
      `${stack.api.url}/w/${stack.workspaceId}/production/get-started`,
      session,
    );
    let release: () => void = () => undefined;
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    const asked = page.waitForRequest('**/api-keys');
    await page.route('**/api-keys', async (route) => {
      await released;
      return route.continue();
    });
    await page.getByRole('button', { name: 'Create API key' }).click();
    await asked;
    await page.getByRole('navigation').getByRole('link', { name: 'Events' }).click();
    await expect(page.getByRole('heading', { name: 'Events', level: 1 })).toBeVisible();
    release();
    const told = 'The key Get started was created, but its secret was not shown';
    await expect(page.getByRole('alert').filter({ hasText: told })).toBeVisible();
  });
});
