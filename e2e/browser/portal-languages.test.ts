import { readFileSync } from 'node:fs';
import { afterAll, expect as equal } from '@jest/globals';
import type { Browser, Page } from '@playwright/test';
import { CAPABILITIES } from '@posthorn/contract/access';
import { type ApiClient, createApiClient } from '@posthorn/testkit/api-client';
import { createIngest } from '@posthorn/testkit/ingest-client';
import { type Receiver, startReceiver } from '@posthorn/testkit/receiver';
import { waitFor } from '@posthorn/testkit/wait-for';
import { type Services, startServices } from '../services-in-process.ts';
import { awaitContent, beforeAll, expect, inBrowser, launchBrowser, scriptBytes, test } from './browser.ts';

const CATALOGUE = new URL('../../packages/web/src/language/catalogues/de.ts', import.meta.url);
/** Matches a text and its translation in the catalogue. */
const ENTRY = /^ {2}(?:'([^'\n]+)'|([\w]+)):\s+'([^'\n]+)',$/gm;

/** The English texts whose translation differs. */
function englishTexts(): Set<string> {
  const entries = [...readFileSync(CATALOGUE, 'utf8').matchAll(ENTRY)];
  const differing = entries.filter(([, quoted, plain, german]) => (quoted ?? plain) !== german);
  return new Set(differing.map(([, quoted, plain]) => quoted ?? plain ?? ''));
}

/** Everything that a reader sees or hears of the page: each text, and the names and hints of its elements. */
const SHOWN = `[...document.querySelectorAll('body *')].flatMap((one) => [
  ...[...one.childNodes].filter((node) => node.nodeType === Node.TEXT_NODE).map((node) => node.data),
  ...['aria-label', 'placeholder', 'title', 'alt'].map((name) => one.getAttribute(name) ?? ''),
]).map((text) => text.trim()).filter((text) => text !== '')`;

/** Whether the page, a dialog or a choice is wider than its space. */
const WIDE = `[document.documentElement, ...document.querySelectorAll('[role=dialog], [role=radiogroup]')]
  .some((one) => one.scrollWidth > one.clientWidth)`;

/** The cells of tables whose text is cut. An address shortens itself, so its cell is never too narrow. */
const CUT_CELLS = `[...document.querySelectorAll('td, th')].filter((one) => one.scrollWidth > one.clientWidth)
  .map((one) => 'cut: ' + one.textContent)`;

inBrowser('the portal in another language', () => {
  let receiver: Receiver;
  let stack: Services;
  let client: ApiClient;
  let browser: Browser;
  let applicationId: string;
  const english = englishTexts();

  beforeAll(async () => {
    receiver = await startReceiver();
    receiver.respondWith(() => ({ status: 503, body: '{"error":"busy"}' }));
    stack = await startServices({ settings: { RETRY_SCHEDULE: '3600', SWEEP_INTERVAL_MS: '500' } });
    client = createApiClient({ ...stack, baseUrl: stack.api.url });
    const schema = { required: ['id'], properties: { id: { type: 'string', description: 'Der Auftrag' } } };
    const type = { name: 'order.created', schema, example: { id: 'order_1' }, publishIn: [stack.environmentId] };
    const eventType = await client.call<{ id: string }>('POST', '/event-types', type);
    applicationId = (await client.call<{ id: string }>('POST', '/applications', { name: 'Beispiel GmbH' })).body.id;
    const endpoint = await client.call<{ id: string }>('POST', `/applications/${applicationId}/endpoints`, {
      url: new URL('/auftraege/und/rechnungen/der/werkstatt/hooks', receiver.url).href,
      environmentId: stack.environmentId,
    });
    const path = `/endpoints/${endpoint.body.id}`;
    await client.call('POST', `${path}/subscriptions`, { eventTypeIds: [eventType.body.id] });
    const events = [{ eventType: 'order.created', applicationId, data: { id: 'order_1' } }];
    equal((await createIngest(stack)('batch', JSON.stringify({ events }))).status).toBe(202);
    const isTried = async () => {
      const list = await client.call<{ deliveries: unknown[] }>('GET', `${path}/deliveries?status=scheduled_retry`);
      return list.body.deliveries.length > 0;
    };
    await waitFor(isTried, { what: 'the first attempt' });
    browser = await launchBrowser();
  });

  afterAll(async () => {
    await browser?.close();
    await stack?.stop();
    await receiver?.close();
  });

  const openPortal = async (locale: string) => {
    const path = `/applications/${applicationId}/portal-sessions`;
    const body = { locale, capabilities: [...CAPABILITIES] };
    const page = await browser.newPage({ viewport: { width: 390, height: 844 }, reducedMotion: 'reduce' });
    await page.goto((await client.call<{ url: string }>('POST', path, body)).body.url);
    return page;
  };

  /** The English texts on the page, the cut texts, and whether the page is wider than the window. */
  const faultsOf = async (page: Page): Promise<string[]> => {
    const shown = await page.evaluate<string[]>(SHOWN);
    equal(shown.length).toBeGreaterThan(10);
    const isWide = await page.evaluate<boolean>(WIDE);
    const cut = await page.evaluate<string[]>(CUT_CELLS);
    return [...shown.filter((text) => english.has(text)), ...cut, ...(isWide ? ['cut at 390 pixels'] : [])];
  };

  test('every page and every tab is in German, in a window of 390 pixels', async () => {
    equal(english.size).toBeGreaterThan(600);
    const page = await openPortal('de');
    const found: Record<string, string[]> = {};
    const look = async (name: string) => {
      await awaitContent(page);
      found[name] = await faultsOf(page);
    };
    await expect(page.getByRole('heading', { level: 1, name: 'Ihre Endpunkte' })).toBeVisible();
    await expect(page.locator('html')).toHaveAttribute('lang', 'de');
    await look('Endpunkte');
    await page.getByRole('button', { name: 'Endpunkt hinzufügen' }).click();
    const sheet = page.getByRole('dialog');
    await expect(sheet.getByText('Eine https-Adresse, die schnell antwortet.')).toBeVisible();
    await look('Endpunkt hinzufügen');
    await sheet.getByText('Von einem Programm abgeholt').click();
    await look('Abholen');
    await page.keyboard.press('Escape');
    await expect(sheet).toHaveCount(0);
    const pages = ['Ereigniskatalog', 'Nachrichten', 'Statistik', 'Alarme', 'Aktivität', 'Prüfer'];
    for (const name of pages) {
      await page.getByRole('link', { name, exact: true }).click();
      await expect(page.getByRole('heading', { level: 1, name, exact: true })).toBeVisible();
      await look(name);
    }
    await page.getByRole('link', { name: 'Agent', exact: true }).click();
    await expect(page.getByRole('heading', { level: 1, name: 'Einen Agenten verbinden' })).toBeVisible();
    await look('Agent');
    await page.getByRole('link', { name: 'Nachrichten', exact: true }).click();
    await page.getByRole('table', { name: 'Nachrichten' }).getByRole('link', { name: 'order.created' }).click();
    const deliveries = page.getByRole('table', { name: 'Ihre Endpunkte, die die Nachricht erhalten' });
    await expect(deliveries).toBeVisible();
    await look('Nachricht');
    await deliveries.getByRole('link').first().click();
    await expect(page.getByRole('heading', { name: 'Versuch 1' })).toBeVisible();
    await expect(page.getByText('Der Endpunkt hat mit 503 geantwortet.')).toBeVisible();
    await look('Zustellung');
    await page.getByRole('link', { name: 'Endpunkte', exact: true }).click();
    await page
      .getByRole('link', { name: /\/hooks$/ })
      .first()
      .click();
    await expect(page.getByRole('tab').first()).toBeVisible();
    const tabs = await page.getByRole('tab').allTextContents();
    equal(tabs).toEqual([
      ...['Überblick', 'Abonnements', 'Transformation', 'Testen', 'Nachrichten', 'Secret', 'Einstellungen'],
    ]);
    for (const name of tabs) {
      const tab = page.getByRole('tab', { name, exact: true });
      await tab.click();
      await expect(tab).toHaveAttribute('aria-selected', 'true');
      await look(name);
    }
    await page.getByRole('tab', { name: 'Secret', exact: true }).click();
    await page.getByRole('button', { name: 'Erneuern …' }).click();
    await look('Secret erneuern');
    await page.getByRole('button', { name: 'Secret erneuern' }).click();
    await expect(page.getByText(/^Beide Secrets signieren bis .* UTC\.$/)).toBeVisible();
    await look('Secret erneuert');
    await page.getByRole('button', { name: 'Löschen …' }).click();
    await expect(page.getByRole('dialog').getByRole('button', { name: 'Schließen' })).toBeVisible();
    await look('Löschen');
    equal(Object.entries(found).filter(([, faults]) => faults.length > 0)).toEqual([]);
  });

  test('a page loads the texts of its own language alone, within 250 KB of scripts in gzip', async () => {
    const page = await openPortal('fr');
    await expect(page.getByRole('heading', { level: 1, name: 'Vos points de terminaison' })).toBeVisible();
    await expect(page.locator('html')).toHaveAttribute('lang', 'fr');
    const scripts = await page.evaluate<string[]>(
      `performance.getEntriesByType('resource').map(({ name }) => new URL(name).pathname)`,
    );
    equal(scripts.filter((name) => /\/(de|fr)-[\w-]+\.js$/.test(name)).map((name) => name.slice(8, 10))).toEqual([
      'fr',
    ]);
    equal(await scriptBytes(page)).toBeLessThanOrEqual(250 * 1024);
  });

  test('the workspace chooses whether its customers read of messages or of events', async () => {
    const terms = (event: string) => client.call('PATCH', '', { portalTerms: { event } });
    equal((await terms('Event')).status).toBe(200);
    for (const [locale, event, events, none] of [
      ['en', 'Event', 'Events', /\bmessages?\b/i],
      ['de', 'Ereignis', 'Ereignisse', /Nachricht/],
      ['fr', 'Événement', 'Événements', /\bmessages?\b/i],
    ] as const) {
      const page = await openPortal(locale);
      await page.getByRole('link', { name: events, exact: true }).click();
      await expect(page.getByRole('heading', { level: 1, name: events, exact: true })).toBeVisible();
      await expect(page).toHaveTitle(new RegExp(events));
      await page.getByRole('table', { name: events }).getByRole('link', { name: 'order.created' }).click();
      await awaitContent(page);
      await expect(page.locator('body')).toContainText(event);
      await expect(page.locator('body')).not.toContainText(none);
      await page.close();
    }
    equal((await terms('Message')).status).toBe(200);
  });

  test('a page without a session says so in the language of the session', async () => {
    const page = await openPortal('de');
    await expect(page.getByRole('heading', { level: 1, name: 'Ihre Endpunkte' })).toBeVisible();
    await page.reload();
    await expect(page.getByText('Öffnen Sie den Link noch einmal')).toBeVisible();
  });
});
