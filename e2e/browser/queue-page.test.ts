import { AxeBuilder } from '@axe-core/playwright';
import { afterAll, expect as equal } from '@jest/globals';
import type { Browser, Page } from '@playwright/test';
import { createApiClient } from '@posthorn/testkit/api-client';
import { createIngest } from '@posthorn/testkit/ingest-client';
import { type Receiver, startReceiver } from '@posthorn/testkit/receiver';
import { waitFor } from '@posthorn/testkit/wait-for';
import { type Services, startServices } from '../services-in-process.ts';
import { beforeAll, expect, HOSTILE, inBrowser, launchBrowser, test } from './browser.ts';

const PASSWORD = 'a long password';

/** Without Redis, each dispatcher serves its own page in the place of Bull Board. */
inBrowser('the page of the queues without Redis', () => {
  let receiver: Receiver;
  let stack: Services;
  let browser: Browser;
  let page: Page;
  const faults: string[] = [];

  beforeAll(async () => {
    receiver = await startReceiver();
    stack = await startServices({ settings: { REDIS_URL: '', ADMIN_PASSWORD: PASSWORD, ADMIN_WRITE: 'true' } });
    await stack.db.workspace.updateMany({ data: { name: HOSTILE } });
    const output = stack.dispatchers[0]?.output() ?? '';
    const url = `http://127.0.0.1:${/"part":"queue board","port":(\d+)/.exec(output)?.[1]}/`;
    browser = await launchBrowser();
    const context = await browser.newContext({ httpCredentials: { username: 'admin', password: PASSWORD } });
    page = await context.newPage();
    page.on('pageerror', (error) => faults.push(error.message));
    page.on('console', (message) => message.type() === 'error' && faults.push(message.text()));
    page.on('request', (request) => {
      if (!request.url().startsWith(url)) faults.push(`a request to ${request.url()}`);
    });
    await page.goto(url);
  });
  afterAll(async () => {
    await browser?.close();
    await stack?.stop();
    await receiver?.close();
  });

  test('an operator pauses deliveries, sees what waits, and lets it go on', async () => {
    await expect(page.getByRole('region', { name: 'The processes' })).toContainText('dispatcher');
    await page.getByRole('button', { name: 'Pause deliver' }).click();
    await expect(page.getByRole('heading', { level: 1, name: 'deliver' })).toBeVisible();
    await expect(page.getByText(/^paused, 0 waiting/)).toBeVisible();

    const client = createApiClient({ ...stack, baseUrl: stack.api.url });
    await client.subscribeEndpoint({ url: new URL('/hooks', receiver.url).href, eventType: 'order.created' });
    const ingest = createIngest(stack);
    await waitFor(
      async () => {
        await ingest('event/order.created', '{}');
        await page.reload();
        return /^paused, [1-9]\d* waiting/.test((await page.locator('main p').nth(1).textContent()) ?? '');
      },
      { what: 'a delivery that waits' },
    );
    await expect(page.getByRole('region', { name: 'The next rows' }).locator('code').first()).toHaveText(/^dlv_/);
    await expect(page.getByRole('region', { name: 'The workspaces with most' })).toContainText('<img src=x');
    equal(await page.evaluate('window.hacked')).toBeUndefined();

    await page.getByRole('button', { name: 'Resume deliver' }).click();
    await expect(page.getByText(/^running, /)).toBeVisible();
    await waitFor(
      async () => {
        await page.reload();
        return /^running, 0 waiting/.test((await page.locator('main p').nth(1).textContent()) ?? '');
      },
      { what: 'the end of the deliveries' },
    );
    equal(faults).toEqual([]);
  });

  test('every page has no violation by axe, in the light and the dark scheme', async () => {
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      for (const name of ['Queues', 'fan-out', 'deliver', 'lines', 'probes']) {
        await page.getByRole('navigation').getByRole('link', { name, exact: true }).click();
        await expect(page.getByRole('heading', { level: 1, name })).toBeVisible();
        const { violations } = await new AxeBuilder({ page }).setLegacyMode(true).analyze();
        equal([name, violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)]).toEqual([name, []]);
      }
    }
    equal(faults).toEqual([]);
  });
});
