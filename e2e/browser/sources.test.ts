import { afterAll, afterEach, expect as equal } from '@jest/globals';
import type { Browser, Page } from '@playwright/test';
import { fromId, newUuid } from '@posthorn/contract/ids';
import { type ApiClient, createApiClient } from '@posthorn/testkit/api-client';
import { freePort } from '@posthorn/testkit/free-port';
import { seedSession } from '@posthorn/testkit/session';
import { type Services, startServices } from '../services-in-process.ts';
import { beforeAll, closePages, expect, inBrowser, launchBrowser, test, visitPage } from './browser.ts';

inBrowser('the page of sources', () => {
  let stack: Services;
  let client: ApiClient;
  let browser: Browser;

  beforeAll(async () => {
    stack = await startServices();
    client = createApiClient({ ...stack, baseUrl: stack.api.url });
    browser = await launchBrowser();
  });
  afterEach(() => closePages(browser));
  afterAll(async () => {
    await browser?.close();
    await stack?.stop();
  });

  const menu = async (page: Page, item: string) => {
    await page.getByRole('button', { name: /Orders$/ }).click();
    await page.getByRole('menuitem', { name: item }).click();
  };

  /** Adds a source. Nothing listens at the port of the broker. */
  async function add(page: Page, broker: string) {
    await page.getByRole('button', { name: 'Add source' }).click();
    const dialog = page.getByRole('dialog', { name: 'Add source' });
    await dialog.getByRole('textbox', { name: 'Name', exact: true }).fill('Orders');
    await dialog.getByLabel('Brokers').fill('10.0.0.1:9093');
    await dialog.getByLabel('Topics').fill('orders');
    await dialog.getByRole('textbox', { name: 'Begin at' }).fill('earliest');
    await dialog.getByRole('combobox', { name: 'Sign in with' }).click();
    await page.getByRole('option', { name: 'plain', exact: true }).click();
    await dialog.getByRole('textbox', { name: 'User', exact: true }).fill('posthorn');
    await dialog.getByRole('textbox', { name: 'Password', exact: true }).fill('secret-canary');
    await dialog.getByRole('combobox', { name: 'Event type' }).click();
    await page.getByRole('option', { name: 'in the value', exact: true }).click();
    await dialog.getByRole('textbox', { name: 'Event type: JSON pointer' }).fill('type');
    await dialog.getByRole('button', { name: 'Add source' }).click();
    await expect(dialog.getByText(/must be a JSON pointer/).first()).toBeVisible();
    await dialog.getByRole('textbox', { name: 'Event type: JSON pointer' }).fill('/type');
    await dialog.getByRole('button', { name: 'Add source' }).click();
    await expect(dialog.getByText(/must not point to a private or reserved address/).first()).toBeVisible();
    await dialog.getByLabel('Brokers').fill(broker);
    await dialog.getByRole('switch', { name: /ordering key/ }).click();
    await dialog.getByRole('button', { name: 'Add source' }).click();
  }

  /** Tests the connection in the dialog that opens after a source is saved. */
  async function testConnection(page: Page) {
    const dialog = page.getByRole('dialog', { name: 'Test the connection' });
    await dialog.getByRole('button', { name: 'Test the connection' }).click();
    await expect(dialog.getByRole('status').getByText(/refused/)).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(dialog).toBeHidden();
  }

  test('a source is added, tested, changed and stopped, and its password is in no page', async () => {
    const session = await seedSession(stack.db, { workspaceId: stack.workspaceId, role: 'owner' });
    const list = `${stack.api.url}/w/${stack.workspaceId}/production/sources`;
    const { page, faults } = await visitPage(browser, list, session);
    const broker = `127.0.0.1:${await freePort()}`;
    await add(page, broker);
    await testConnection(page);
    await menu(page, 'Edit');
    const dialog = page.getByRole('dialog', { name: 'Edit source' });
    await expect(dialog.getByLabel('Brokers')).toHaveValue(broker);
    await expect(dialog.getByRole('textbox', { name: 'Event type: JSON pointer' })).toHaveValue('/type');
    await expect(dialog.getByText('Stored, and never shown. Leave it empty to keep it.')).toHaveCount(2);
    await dialog.getByRole('textbox', { name: 'Name', exact: true }).fill('All Orders');
    await dialog.getByLabel('Topics').fill('orders\nreturns');
    await dialog.getByRole('button', { name: 'Save source' }).click();
    await expect(page.getByRole('dialog', { name: 'Test the connection' })).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(page.getByRole('table').getByText('orders, returns')).toBeVisible();
    await menu(page, 'Stop reading');
    await expect(page.getByRole('table').getByText('Off', { exact: true })).toBeVisible();
    const { body } = await client.call<{ sources: object[] }>('GET', '/sources');
    equal(body.sources).toEqual([
      equal.objectContaining({
        ...{ name: 'All Orders', isActive: false, credentialNames: ['password', 'username'] },
        config: equal.objectContaining({
          ...{ brokers: [broker], topics: ['orders', 'returns'], start: 'earliest', saslMechanism: 'plain' },
          ...{ eventType: { pointer: '/type' }, orderingKey: 'key' },
        }),
      }),
    ]);
    equal(await page.content()).not.toContain('canary');
    equal(faults.filter((fault) => !fault.includes('400'))).toEqual([]);
  });

  test('every record that was rejected is shown with why, however many there are', async () => {
    const config = { brokers: [`127.0.0.1:${await freePort()}`], topics: ['orders'], eventType: { header: 'type' } };
    const source = await client.call<{ id: string }>('POST', '/sources', { name: 'Rejected Orders', config });
    equal(source.status).toBe(201);
    const sourceId = fromId('src', source.body.id) ?? '';
    const record = { sourceId, topic: 'orders', partition: 0, size: 1, reason: 'invalid', message: 'This is no JSON.' };
    const offsets = Array.from({ length: 80 }, (_, offset) => BigInt(offset));
    await stack.db.sourceRejection.createMany({
      data: offsets.map((recordOffset) => ({ ...record, recordOffset, id: newUuid(new Date()) })),
    });
    const session = await seedSession(stack.db, { workspaceId: stack.workspaceId, role: 'owner' });
    const list = `${stack.api.url}/w/${stack.workspaceId}/production/sources`;
    const { page, faults } = await visitPage(browser, list, session);
    await page.getByRole('button', { name: 'Actions of Rejected Orders' }).click();
    await page.getByRole('menuitem', { name: 'Rejected records' }).click();
    const rejected = page.getByRole('table', { name: 'Rejected records' }).getByRole('row');
    await expect(rejected).toHaveCount(81);
    await expect(rejected.last()).toContainText('This is no JSON.');
    await client.call('DELETE', `/sources/${source.body.id}`);
    equal(faults).toEqual([]);
  });

  test('a promotion makes a source with the brokers and the topics that are typed, and it does not read yet', async () => {
    const live = (await client.call<{ id: string }>('POST', '/environments', { name: 'Live', slug: 'live' })).body.id;
    const config = { topics: ['orders'], eventType: { header: 'type' } };
    const [from, to] = [await freePort(), await freePort()].map((port) => `127.0.0.1:${port}`);
    await client.call('POST', '/sources', { name: 'Returns', config: { ...config, brokers: [from] } });
    const session = await seedSession(stack.db, { workspaceId: stack.workspaceId, role: 'owner' });
    const promote = `production/promote?from=${stack.environmentId}&to=${live}`;
    const { page, faults } = await visitPage(browser, `${stack.api.url}/w/${stack.workspaceId}/${promote}`, session);
    const source = page.getByRole('region', { name: 'Source Returns' });
    await source.getByLabel('Brokers in Live').fill(to ?? '');
    await source.getByLabel('Topics in Live').fill('returns\nrefunds');
    await page.getByRole('button', { name: /^Apply \d+ changes? to Live$/ }).click();
    await expect(page.getByText(/applied to Live/)).toBeVisible();
    await expect(source).toHaveCount(0);
    const { body } = await client.call<{ sources: object[] }>('GET', `/sources?environment_id=${live}`);
    equal(body.sources).toEqual([
      equal.objectContaining({
        ...{ name: 'Returns', isActive: false, credentialNames: [] },
        config: equal.objectContaining({
          brokers: [to],
          topics: ['returns', 'refunds'],
          eventType: { header: 'type' },
        }),
      }),
    ]);
    equal(faults).toEqual([]);
  });
});
