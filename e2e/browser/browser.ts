import * as jest from '@jest/globals';
import { type Browser, chromium, type Page, expect as playwrightExpect } from '@playwright/test';
import { patience } from '@posthorn/testkit/patience';
import { seedSession } from '@posthorn/testkit/session';
import type { Services } from '../services-in-process.ts';

const path = process.env.TEST_CHROMIUM;

/**
 * A text that a producer, a customer or a receiver may write to take over a page, or to turn the text beside it around.
 */
export const HOSTILE = '<img src=x onerror="window.hacked = true"><script>window.hacked = true</script>\u202egnp.exe';

/**
 * A test waits for many things, one after the other. The wait that fails must be named before the whole test times out.
 */
const MAY_TAKE_MS = 300_000;

type Body = () => Promise<void> | void;

export const test = (name: string, body: Body, timeoutMs = MAY_TAKE_MS): void => jest.test(name, body, timeoutMs);
export const beforeAll = (body: Body): void => jest.beforeAll(body, MAY_TAKE_MS);

/**
 * Playwright's `expect`, which waits for 5 s by default. A page makes up to eight requests in sequence before its
 * content is there, which may take long on a busy machine. Clicks wait as long as this.
 */
const CONTENT_MAY_TAKE_MS = 30_000 * patience;
export const expect = playwrightExpect.configure({ timeout: CONTENT_MAY_TAKE_MS });

/** Browser tests run where `npm test` found a Chromium. Elsewhere they are skipped, and `npm test` says so. */
export const inBrowser = (name: string, body: () => void): void =>
  (path === undefined ? jest.describe.skip : jest.describe)(name, body);

/** Chromium, without a window. */
export function launchBrowser(): Promise<Browser> {
  const isRoot = process.getuid?.() === 0;
  return chromium.launch({ ...(path && { executablePath: path }), args: isRoot ? ['--no-sandbox'] : [] });
}

export type Login = { email: string; password: string };

/** Adds a person with a password and this role to the stack's workspace. */
export async function addPerson(stack: Services, role: 'owner' | 'admin' | 'member' | 'viewer'): Promise<Login> {
  const { workspaceId } = stack;
  const token = await seedSession(stack.db, { workspaceId, role: 'owner' });
  const login = { email: `${role}@example.com`, password: 'correct horse battery staple' };
  const answer = await fetch(`${stack.api.url}/api/workspaces/${workspaceId}/members`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    // Nobody becomes an owner before their address is proved.
    body: JSON.stringify({ ...login, role: role === 'owner' ? 'admin' : role }),
  });
  if (!answer.ok) throw new Error(`the member was not added: ${answer.status} ${await answer.text()}`);
  // Another person has made the account. Here, its owner proves the address.
  await stack.db.user.update({
    where: { email: login.email },
    data: { addressProvenAt: new Date(), members: { updateMany: { where: {}, data: { role } } } },
  });
  return login;
}

/**
 * Opens a page for a new visitor, and records all faults and all requests to other origins. With the token of a session
 * (`seedSession`) the visitor is already logged in, which saves the login page.
 */
export async function visitPage(
  browser: Browser,
  url: string,
  session?: string,
): Promise<{ page: Page; faults: string[] }> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, reducedMotion: 'reduce' });
  context.setDefaultTimeout(CONTENT_MAY_TAKE_MS);
  if (session !== undefined) await context.addCookies([sessionCookie(url, session)]);
  const page = await context.newPage();
  const faults: string[] = [];
  page.on('pageerror', (error) => faults.push(error.message));
  page.on('console', (message) => {
    const isRefusedLogin = message.text().includes('401');
    // The text does not name the request that failed, so its URL is added.
    if (message.type() === 'error' && !isRefusedLogin) faults.push(`${message.text()} ${message.location().url}`);
  });
  page.on('request', (request) => {
    if (new URL(request.url()).origin !== new URL(url).origin) faults.push(`a request to ${request.url()}`);
  });
  await page.goto(url);
  return { page, faults };
}

/** The login cookie over http: see auth/session-cookie.ts. */
function sessionCookie(url: string, value: string) {
  const { hostname: domain } = new URL(url);
  return { name: 'posthorn_session', value, domain, path: '/api', httpOnly: true, sameSite: 'Strict' } as const;
}

/**
 * Shows another page of the dashboard as a link does, without loading the scripts again. It must not be the same page
 * with another query, because its heading would stay.
 */
export async function showPage(page: Page, url: string): Promise<void> {
  await page.evaluate(`{
    for (const heading of document.querySelectorAll('h1')) heading.dataset.left = 'true';
    history.pushState(null, '', ${JSON.stringify(url)});
  }`);
  await expect(page.locator('h1[data-left]')).toHaveCount(0);
  await expect(page.getByRole('heading', { level: 1 }).first()).toBeVisible();
}

/** Closes the pages of a test: an open page draws, reads and listens until the file has ended. */
export async function closePages(browser: Browser | undefined): Promise<void> {
  await Promise.all((browser?.contexts() ?? []).map((context) => context.close()));
}

/** Fills in the login page. */
export async function logIn(page: Page, { email, password }: Login): Promise<void> {
  await page.getByLabel('Email').fill(email);
  await page.getByRole('textbox', { name: 'Password' }).fill(password);
  await page.getByRole('button', { name: 'Log in' }).click();
}

/** Opens a tab and waits until it is shown. The tab before it may have the same texts. */
export async function openTab(page: Page, name: string): Promise<void> {
  const tab = page.getByRole('tab', { name, exact: true });
  await tab.click();
  await expect(tab).toHaveAttribute('aria-selected', 'true');
}

/** Waits until a page has its content instead of its skeleton. */
export async function awaitContent(page: Page): Promise<void> {
  await expect(page.getByRole('heading', { level: 1 }).first()).toBeVisible();
  await expect(page.locator('.mantine-Skeleton-root')).toHaveCount(0);
}

/**
 * The gzip bytes of the scripts that a page has loaded, without the chart library, which comes after the page is shown.
 */
export async function scriptBytes(page: Page): Promise<number> {
  const urls = await page.evaluate<string[]>(
    `performance.getEntriesByType('resource').map(({ name }) => name).filter((name) => name.endsWith('.js') && !name.includes('/time-chart-'))`,
  );
  const sizes = await Promise.all(
    [...new Set(urls)].map(async (url) => {
      const answer = await fetch(url, { headers: { 'accept-encoding': 'gzip' } });
      if (answer.headers.get('content-encoding') !== 'gzip') throw new Error(`${url} is not compressed`);
      return Number(answer.headers.get('content-length'));
    }),
  );
  if (sizes.length <= 3) throw new Error('the scripts of the page were not found');
  return sizes.reduce((sum, size) => sum + size, 0);
}
