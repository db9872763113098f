import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { AxeBuilder } from '@axe-core/playwright';
import { afterAll, afterEach, expect as equal } from '@jest/globals';
import type { Browser } from '@playwright/test';
import { projectRoot } from '../pages/run-page.ts';
import { type Services, startServices } from '../services-in-process.ts';
import { beforeAll, closePages, expect, inBrowser, launchBrowser, test, visitPage } from './browser.ts';

const built = join(projectRoot, 'docs/site/dist');

inBrowser('the documentation site', () => {
  let stack: Services;
  let browser: Browser;

  beforeAll(async () => {
    stack = await startServices();
    browser = await launchBrowser();
  });

  afterEach(() => closePages(browser));
  afterAll(async () => {
    await browser?.close();
    await stack?.stop();
  });

  test('every link and image of every page leads to something that the site has', () => {
    const names = readdirSync(built, { recursive: true, encoding: 'utf8' });
    const pages = new Map(
      names.filter((name) => name.endsWith('.html')).map((name) => [name, readFileSync(join(built, name), 'utf8')]),
    );
    equal(pages.size).toBeGreaterThan(60);
    const elsewhere = ['/', '/reference', '/openapi.json', '/openapi/sdk.json'];
    const isThere = (from: string, link: string) => {
      const [path = '', anchor] = link.split('#');
      if (link === '') return false;
      if (elsewhere.includes(path) || names.includes(path.replace(/^\/docs\//, ''))) return true;
      const name = path === '' ? from : `${path.replace(/^\/docs\/?/, '') || 'index'}.html`;
      return pages.has(name) && (anchor === undefined || pages.get(name)?.includes(`id="${anchor}"`) === true);
    };
    const broken = [...pages].flatMap(([from, html]) =>
      [...html.matchAll(/\b(?:href|src|srcset)="([^"]*)"/g)]
        .map(([, link = '']) => link)
        .filter((link) => !/^https?:/.test(link) && !isThere(from, link))
        .map((link) => `${from}: ${link}`),
    );
    equal(broken).toEqual([]);
  });

  test('its search finds a section by words of its text, and Enter opens it', async () => {
    const { page, faults } = await visitPage(browser, `${stack.api.url}/docs`);
    await page.keyboard.press('/');
    await page.keyboard.type('quarantine');
    await expect(page.getByRole('option').first()).toHaveAttribute('aria-selected', 'true');
    const first = await page.getByRole('option').first().getAttribute('href');
    await page.keyboard.press('Enter');
    await page.waitForURL(`${stack.api.url}${first}`);
    await expect(page.getByRole('main')).toContainText(/quarantine/i);
    await page.getByRole('combobox').fill('zzzzqqqq');
    await expect(page.getByRole('listbox')).toContainText('Nothing found');
    await page.keyboard.press('Escape');
    await expect(page.getByRole('listbox')).toBeHidden();
    equal(faults).toEqual([]);
  });

  test('its search knows the words of readers for ours, and a sample has a button that copies it', async () => {
    const { page, faults } = await visitPage(browser, `${stack.api.url}/docs/how-to/send-an-event`);
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    for (const [theirs, ours] of [
      ['gdpr', /erasure/i],
      ['multi tenant', /customer/i],
      ['ip allowlist', /fixed addresses/i],
    ] as const) {
      await page.getByRole('combobox').fill(theirs);
      await expect(page.getByRole('option').first()).toContainText(ours);
    }
    await page.keyboard.press('Escape');
    const sample = page.locator('main .code').first();
    await sample.getByRole('button', { name: 'Copy' }).click();
    await expect(sample.getByRole('button', { name: 'Copied' })).toBeVisible();
    const copied = await page.evaluate<string>('navigator.clipboard.readText()');
    equal(copied).toBe(await sample.locator('code').textContent());
    equal(faults).toEqual([]);
  });

  test('the samples of a language are chosen for every page and stay chosen; without scripts all of them are there', async () => {
    const { page, faults } = await visitPage(browser, `${stack.api.url}/docs/how-to/send-an-event`);
    const tab = (name: string, index = 0) => page.getByRole('tab', { name, exact: true }).nth(index);
    const shown = page.locator('main .code[role=tabpanel]:visible');
    await expect(page.getByRole('tablist')).toHaveCount(2);
    await expect(page.getByRole('main')).not.toContainText(/In (TypeScript|Python|Go):/);
    await expect(shown).toHaveText([/@posthorn\/client/, /posthorn\.events\.send\('/]);
    await tab('Python').click();
    await expect(shown).toHaveText([/posthorn_client/, /posthorn\.events\.send\("/]);
    await tab('Python', 1).press('ArrowRight');
    await expect(tab('Go', 1)).toBeFocused();
    await page.goto(`${stack.api.url}/docs/how-to/order-events`);
    await expect(tab('Go')).toHaveAttribute('aria-selected', 'true');
    await expect(shown).toHaveText([/WithOrderingKey/]);
    const { violations } = await new AxeBuilder({ page }).analyze();
    equal(violations.map(({ id }) => id)).toEqual([]);
    equal(faults).toEqual([]);

    const context = await browser.newContext({ javaScriptEnabled: false });
    const plain = await context.newPage();
    await plain.goto(`${stack.api.url}/docs/how-to/order-events`);
    await expect(plain.getByText('WithOrderingKey')).toBeVisible();
    await expect(plain.getByText('In Python:')).toBeVisible();
  });

  test('its pages are readable for everyone in the light and the dark theme, and the choice stays', async () => {
    const { page, faults } = await visitPage(browser, `${stack.api.url}/docs/how-to/recover`);
    const violations = async () => {
      const { violations: found } = await new AxeBuilder({ page }).analyze();
      return found.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 80)).join(', ')}`);
    };
    equal(await violations()).toEqual([]);
    await page.getByRole('button', { name: 'Switch between light and dark' }).click();
    await page.goto(`${stack.api.url}/docs/reference/errors`);
    await expect(page.locator('html')).toHaveAttribute('data-scheme', 'dark');
    equal(await violations()).toEqual([]);
    equal(faults).toEqual([]);
  });

  test('on a phone the pages are behind a menu, and nothing is wider than the screen', async () => {
    const { page } = await visitPage(browser, `${stack.api.url}/docs/reference/settings`);
    await page.setViewportSize({ width: 390, height: 844 });
    await expect(page.getByRole('navigation')).toBeHidden();
    equal(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
    await page.getByRole('button', { name: 'Menu' }).click();
    await page.getByRole('link', { name: 'Send events in order' }).click();
    await expect(page.getByRole('heading', { level: 1 })).toContainText('order');
  });
});
