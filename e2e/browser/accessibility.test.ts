import { AxeBuilder } from '@axe-core/playwright';
import { afterAll, expect as equal } from '@jest/globals';
import type { Browser, BrowserContext, Page } from '@playwright/test';
import { CAPABILITIES } from '@posthorn/contract/access';
import { type ApiClient, createApiClient } from '@posthorn/testkit/api-client';
import { createIngest } from '@posthorn/testkit/ingest-client';
import { type Receiver, startReceiver } from '@posthorn/testkit/receiver';
import { waitFor } from '@posthorn/testkit/wait-for';
import { type Services, startServices } from '../services-in-process.ts';
import {
  addPerson,
  awaitContent,
  beforeAll,
  expect,
  inBrowser,
  launchBrowser,
  logIn,
  openTab,
  showPage,
  test,
} from './browser.ts';

const THEMES = ['light', 'dark'] as const;
/**
 * Ends transitions. axe would measure a colour in the middle of one, and they take long in a page in the background.
 */
const FINISH_TRANSITIONS =
  'document.getAnimations().filter((one) => one instanceof CSSTransition).forEach((one) => one.finish())';

/** Only the violations. The rest of axe's report takes most of its time. */
const ONLY_VIOLATIONS = { resultTypes: ['violations' as const], selectors: false, preload: false };

/** Examines the items one after the other, and returns all findings. */
async function oneByOne<Item>(items: Iterable<Item>, examine: (item: Item) => Promise<string[]>): Promise<string[]> {
  const found: string[] = [];
  for (const item of items) found.push(...(await examine(item)));
  return found;
}

/** One stack with an endpoint that failed, a playground and a customer, so that pages have content. */
inBrowser('accessibility by axe, in the light and the dark theme', () => {
  let receiver: Receiver;
  let stack: Services;
  let client: ApiClient;
  let browser: Browser;
  let context: BrowserContext;
  let ids: Record<'endpoint' | 'playground' | 'event' | 'delivery' | 'application', string>;
  let portalUrl: string;

  beforeAll(async () => {
    receiver = await startReceiver();
    receiver.respondWith(() => ({ status: 503, body: '{"error":"busy"}' }));
    stack = await startServices({ settings: { RETRY_SCHEDULE: '3600', SWEEP_INTERVAL_MS: '500' } });
    client = createApiClient({ ...stack, baseUrl: stack.api.url });
    const create = async (path: string, wanted: object) => {
      const { status, body } = await client.call<{ id: string }>('POST', path, wanted);
      if (status !== 201) throw new Error(`${path} answered ${status}: ${JSON.stringify(body)}`);
      return body.id;
    };
    await create('/environments', { name: 'Staging', slug: 'staging' });
    const url = new URL('/hooks', receiver.url).href;
    const { endpointId, eventTypeId } = await client.subscribeEndpoint({ url, eventType: 'order.created' });
    const playground = await create('/endpoints', { type: 'playground', environmentId: stack.environmentId });
    await client.call('POST', `/endpoints/${playground}/subscriptions`, { eventTypeIds: [eventTypeId] });
    const application = await create('/applications', { name: 'Acme Logistics' });
    await create('/alert-rules', {
      ...{ name: 'On call', channel: 'slack', target: url, events: ['posthorn.endpoint.failing'] },
    });
    const theirs = await create(`/applications/${application}/endpoints`, { url, environmentId: stack.environmentId });
    await client.call('POST', `/endpoints/${theirs}/subscriptions`, { eventTypeIds: [eventTypeId] });
    const { body } = await createIngest(stack)('event/order.created', '{"id":"order_1"}');
    const failed = () =>
      client.call<{ deliveries: { id: string }[] }>(
        'GET',
        `/endpoints/${endpointId}/deliveries?status=scheduled_retry`,
      );
    await waitFor(async () => (await failed()).body.deliveries.length > 0, { what: 'the first attempt' });
    ids = {
      endpoint: endpointId,
      playground,
      application,
      event: String(body.id),
      delivery: (await failed()).body.deliveries[0]?.id ?? '',
    };
    portalUrl = (
      await client.call<{ url: string }>('POST', `/applications/${application}/portal-sessions`, {
        capabilities: [...CAPABILITIES],
      })
    ).body.url;
    browser = await launchBrowser();
    context = await browser.newContext({ viewport: { width: 1440, height: 900 }, reducedMotion: 'reduce' });
  });

  afterAll(async () => {
    await browser?.close();
    await stack?.stop();
    await receiver?.close();
  });

  /** The findings on the page that axe calls serious or critical, as lines to read. */
  const findingsOf = async (page: Page, name: string, part = 'main'): Promise<string[]> => {
    await awaitContent(page);
    const found: string[] = [];
    for (const colorScheme of THEMES) {
      await page.emulateMedia({ colorScheme });
      await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', colorScheme);
      await page.evaluate(FINISH_TRANSITIONS);
      const axe = new AxeBuilder({ page }).setLegacyMode(true).options(ONLY_VIOLATIONS).include(part);
      // Only colours differ between the themes.
      const { violations } = await (colorScheme === 'dark' ? axe.withRules(['color-contrast']) : axe).analyze();
      for (const { id, impact, nodes } of violations) {
        if (impact !== 'serious' && impact !== 'critical') continue;
        for (const { html, any } of nodes) {
          found.push(`${name}, ${colorScheme}: ${id}: ${html.slice(0, 200)}: ${any[0]?.message ?? ''}`);
        }
      }
    }
    return found;
  };

  test('no page of the dashboard has a serious or critical finding, and each has a title of its own', async () => {
    const page = await context.newPage();
    const place = `/w/${stack.workspaceId}/production`;
    const found: string[] = [];
    await page.goto(`${stack.api.url}${place}/overview`);
    found.push(...(await findingsOf(page, 'login', 'body')));
    await logIn(page, await addPerson(stack, 'owner'));
    await expect(page.getByRole('heading', { name: 'Overview' })).toBeVisible();
    // The frame around every page is examined once.
    found.push(...(await findingsOf(page, 'overview', 'body')));
    const tabs = ['deliveries', 'subscriptions', 'transformation', 'testing', 'security', 'advanced'];
    const paths = [
      ...'get-started events deliveries endpoints event-types customers usage operations alerts audit queues settings account'.split(
        ' ',
      ),
      ...['operational-events', 'promote'],
      ...['keys', 'tokens', 'members'].map((tab) => `access?part=${tab}`),
      `events/${ids.event}`,
      `deliveries/${ids.delivery}`,
      `customers/${ids.application}`,
      `endpoints/${ids.endpoint}`,
      ...tabs.map((tab) => `endpoints/${ids.endpoint}?tab=${tab}`),
      `endpoints/${ids.playground}?tab=inbox`,
      'deliveries?status=dead_letter',
      'nowhere',
    ];
    // Two pages at once, because a page uses one core.
    const rest = paths.values();
    const second = await context.newPage();
    await second.goto(`${stack.api.url}${place}/overview`);
    await awaitContent(second);
    const inTwo = [page, second].map((one) =>
      oneByOne(rest, async (path) => {
        // A page with another query is loaded again: its heading would not show that it has changed.
        if (path.includes('?')) await one.goto(`${stack.api.url}${place}/${path}`);
        else await showPage(one, `${place}/${path}`);
        const found = await findingsOf(one, path);
        const title = await one.title();
        return / · Posthorn$/.test(title) ? found : [...found, `${path} has the title ${title}`];
      }),
    );
    found.push(...(await Promise.all(inTwo)).flat());
    equal(found).toEqual([]);
    // Some thirty pages are examined, each in two themes.
  }, 600_000);

  test('no page of the portal has a serious or critical finding', async () => {
    const page = await context.newPage();
    const found: string[] = [];
    await page.goto(portalUrl);
    found.push(...(await findingsOf(page, 'portal', 'body')));
    const second = await context.newPage();
    await second.goto(portalUrl);
    await second.getByRole('link', { name: receiver.url }).first().click();
    await expect(second.getByRole('tab').first()).toBeVisible();
    const tabs = await second.getByRole('tab').allTextContents();
    equal(tabs.length).toBeGreaterThan(4);
    const [inPages, inTabs] = await Promise.all([
      oneByOne(['Event catalogue', 'Messages', 'Statistics', 'Alerts', 'Activity', 'Verifier'], async (name) => {
        await page.getByRole('link', { name, exact: true }).click();
        // Otherwise the previous page would be examined.
        await expect(page.getByRole('heading', { level: 1, name, exact: true })).toBeVisible();
        return findingsOf(page, `portal: ${name}`);
      }),
      oneByOne(tabs, async (name) => {
        await openTab(second, name);
        return findingsOf(second, `portal: ${name}`);
      }),
    ]);
    found.push(...inPages, ...inTabs);
    equal(found).toEqual([]);
  });
});
