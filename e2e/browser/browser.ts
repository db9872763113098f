import { type Browser, chromium, type Page, expect as playwrightExpect } from '@playwright/test';
import { seedSession } from '@posthorn/testkit/session';
import type { Stack } from '@posthorn/testkit/stack';

const path = process.env.TEST_CHROMIUM;

/** What a producer, a customer or a receiver may write to take over a page, or to turn the text beside it. */
export const HOSTILE = '<img src=x onerror="window.hacked = true"><script>window.hacked = true</script>\u202egnp.exe';

/** Playwright's, which waits for 5 s by default: a page on a busy machine may need longer. */
export const expect = playwrightExpect.configure({ timeout: 15_000 });

/** Browser tests run where `npm test` found a Chromium; elsewhere they are skipped, and it says so. */
export const hasBrowser = path !== undefined;

/** Chromium, without a window. */
export function launchBrowser(): Promise<Browser> {
  const isRoot = process.getuid?.() === 0;
  return chromium.launch({ ...(path && { executablePath: path }), args: isRoot ? ['--no-sandbox'] : [] });
}

export type Login = { email: string; password: string };

/** A person with a password and that role in the stack's workspace. */
export async function addPerson(stack: Stack, role: 'owner' | 'member' | 'viewer'): Promise<Login> {
  const { workspaceId } = stack;
  const token = await seedSession(stack.db, { workspaceId, role: 'owner' });
  const login = { email: `${role}@example.com`, password: 'correct horse battery staple' };
  const answer = await fetch(`${stack.api.url}/api/workspaces/${workspaceId}/members`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ ...login, role }),
  });
  if (!answer.ok) throw new Error(`the member was not added: ${answer.status} ${await answer.text()}`);
  return login;
}

/** A page of a new visitor, with every fault and every request to another origin that it has. */
export async function visitPage(browser: Browser, url: string): Promise<{ page: Page; faults: string[] }> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, reducedMotion: 'reduce' });
  const page = await context.newPage();
  const faults: string[] = [];
  page.on('pageerror', (error) => faults.push(error.message));
  page.on('console', (message) => {
    const isRefusedLogin = message.text().includes('401');
    if (message.type() === 'error' && !isRefusedLogin) faults.push(message.text());
  });
  page.on('request', (request) => {
    if (new URL(request.url()).origin !== new URL(url).origin) faults.push(`a request to ${request.url()}`);
  });
  await page.goto(url);
  return { page, faults };
}

/** Ends the pages of a test: an open page draws, reads and listens until the file has ended. */
export async function closePages(browser: Browser | undefined): Promise<void> {
  await Promise.all((browser?.contexts() ?? []).map((context) => context.close()));
}

/** Fills in the login page. */
export async function logIn(page: Page, { email, password }: Login): Promise<void> {
  await page.getByLabel('Email').fill(email);
  await page.getByRole('textbox', { name: 'Password' }).fill(password);
  await page.getByRole('button', { name: 'Log in' }).click();
}

/** The gzip bytes of the scripts that a page has loaded. The library of the charts comes after the page is shown. */
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
