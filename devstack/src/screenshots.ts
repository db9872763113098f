import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { type Browser, chromium, type Page } from '@playwright/test';
import { Failure } from './failure.ts';
import { type Instance, readInstanceFile } from './instance-file.ts';
import { createApi, field, strict, textField } from './management-api.ts';
import { projectRoot } from './project-root.ts';
import { type Run, runToEnd } from './run.ts';
import { say } from './say.ts';
import { homeOf } from './settings.ts';

const FOLDER = join(projectRoot, 'docs/images');
const THEMES = ['light', 'dark'] as const;
const WINDOW = { width: 1280, height: 760 };
/** After this time, charts and the live view have their first content. */
const SETTLED_MS = 2_500;

process.exit(await runToEnd(screenshots));

/**
 * Writes docs/images/<page>-<theme>.png from the instance in POSTHORN_HOME. `npm run demo` must have run there for a few
 * minutes, so that charts have points and retries have happened.
 */
async function screenshots(run: Run): Promise<number> {
  const instance = readInstanceFile(homeOf(process.env));
  const pages = await choosePages(run, instance);
  const executablePath = process.env.CHROMIUM_PATH;
  if (!executablePath) throw new Failure('No Chromium was found.', 'CHROMIUM_PATH=/path/to/chromium names one.');
  mkdirSync(FOLDER, { recursive: true });
  const isRoot = process.getuid?.() === 0;
  const browser = await chromium.launch({ executablePath, args: isRoot ? ['--no-sandbox'] : [] });
  try {
    for (const theme of THEMES)
      await takeAll(run, await openPage(browser, instance, theme), { instance, pages, theme });
  } finally {
    await browser.close();
  }
  return 0;
}

/**
 * The pages to show, by the names of their pictures. The chosen delivery has failed several times, and the chosen event
 * went to several endpoints.
 */
async function choosePages(run: Run, { baseUrl, workspaceId, managementToken }: Instance) {
  const api = strict(createApi(baseUrl, managementToken, run.signal));
  const ask = async (path: string, list: string) => {
    const { body } = await api('GET', `/management/v1/workspaces/${workspaceId}${path}`);
    const rows = field(body, list);
    return Array.isArray(rows) ? rows : [];
  };
  const retried = await ask('/deliveries?status=scheduled_retry&limit=100', 'deliveries');
  const delivery = retried.toSorted((a, b) => attemptsOf(b) - attemptsOf(a))[0];
  const events = await ask('/events?limit=100', 'events');
  const event = events.toSorted((a, b) => deliveriesOf(b) - deliveriesOf(a))[0];
  if (delivery === undefined || event === undefined) {
    throw new Failure('The instance shows no retry yet.', 'Let npm run demo run for some minutes, then try again.');
  }
  return [
    ['overview', 'overview?span=1h'],
    ['delivery', `deliveries/${textField(delivery, 'id')}`],
    ['event', `events/${textField(event, 'id')}`],
    ['endpoints', 'endpoints'],
  ] as const;
}

function attemptsOf(delivery: unknown): number {
  return Number(field(delivery, 'totalAttempts'));
}

function deliveriesOf(event: unknown): number {
  return Object.values(field(event, 'deliveries') ?? {}).reduce((sum: number, count) => sum + Number(count), 0);
}

async function openPage(browser: Browser, { baseUrl, login }: Instance, theme: 'light' | 'dark'): Promise<Page> {
  const context = await browser.newContext({ viewport: WINDOW, colorScheme: theme, reducedMotion: 'reduce' });
  const answer = await context.request.post(`${baseUrl}/api/auth/login`, {
    data: login,
    headers: { origin: baseUrl },
  });
  if (!answer.ok()) throw new Error(`the login answered ${answer.status()}`);
  return context.newPage();
}

type Shots = { instance: Instance; pages: readonly (readonly [name: string, path: string])[]; theme: string };

async function takeAll(run: Run, page: Page, { instance, pages, theme }: Shots): Promise<void> {
  const { baseUrl, workspaceId, environmentId } = instance;
  for (const [name, path] of pages) {
    run.signal.throwIfAborted();
    await page.goto(`${baseUrl}/w/${workspaceId}/${environmentId}/${path}`);
    await page.getByRole('heading', { level: 1 }).waitFor();
    // Opens the part of the event's trace about the endpoints that did not get it.
    if (name === 'event') await page.getByRole('button', { name: 'not subscribed' }).click({ timeout: 5_000 });
    await page.waitForTimeout(SETTLED_MS);
    const file = join(FOLDER, `${name}-${theme}.png`);
    await page.screenshot({ path: file });
    say('screenshots', file);
  }
}
