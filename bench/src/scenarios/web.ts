import { type Browser, type BrowserContext, chromium } from '@playwright/test';
import { createDb } from '@posthorn/db/client';
import { seedSession } from '@posthorn/testkit/session';
import { insertHistory } from '../backlog.ts';
import { axeFindings, filterTime, paintOf, scriptKib, scrollFrames } from '../browser-measures.ts';
import { cumulative, percentile, timeFigures } from '../figures.ts';
import { managementOf, oneEndpointEach } from '../management.ts';
import type { Context, Outcome, Scenario } from '../scenario.ts';
import { type Stack, withStack } from '../stack.ts';

/** The number of deliveries. `BENCH_WEB_DELIVERIES` sets another. */
const ROWS = Number(process.env.BENCH_WEB_DELIVERIES ?? 1_000_000);
const LOADS = 10;
const ROUNDS = 15;
const SCROLLED_ROWS = 10_000;
const LONG_FRAME_MS = 50;
const LOGIN = { email: 'bench@example.com', password: 'correct horse battery staple' };
const PAGES = ['overview', 'events', 'deliveries', 'endpoints', 'event-types', 'audit', 'settings'];

export const web: Scenario = {
  name: 'web',
  what: `the dashboard in Chromium with ${ROWS.toLocaleString('en-US')} deliveries: paint, filter, scrolling, axe`,
  run: (context) => withStack(context, (stack) => measure(context, stack)),
};

async function measure({ say }: Context, stack: Stack): Promise<Outcome> {
  const path = process.env.TEST_CHROMIUM;
  if (path === undefined) throw new Error('no Chromium found; CHROMIUM_PATH names one');
  const api = await stack.startApi();
  const urls = Array.from({ length: 10 }, (_, index) => `https://127.0.0.1:9443/${index}`);
  const manage = managementOf(api, stack);
  const { endpointIds } = await oneEndpointEach(manage, { stack, apis: [api], urls, name: 'shown' });
  say(`inserting ${ROWS.toLocaleString('en-US')} deliveries`);
  await insertHistory(stack, endpointIds, ROWS);
  await addOwner(stack, api.url);
  const browser = await chromium.launch({ executablePath: path, args: ['--no-sandbox'] });
  try {
    return await measurePages({ say }, { browser, place: `${api.url}/w/${stack.workspaceId}/production` });
  } finally {
    await browser.close();
  }
}

type Shown = { browser: Browser; place: string };

async function measurePages({ say }: Pick<Context, 'say'>, { browser, place }: Shown): Promise<Outcome> {
  say('loading the first page');
  const session = await logIn(browser, place);
  const first = await loadOften(browser, session, place);
  say('filtering');
  const context = await openContext(browser, session);
  const page = await context.newPage();
  const filtered: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    // Another load drops the responses that the last round has cached.
    await paintOf(page, `${place}/deliveries`, 'shown, newest first');
    filtered.push(await filterTime(page, 'Failed'), await filterTime(page, 'Delivered'));
  }
  say('scrolling');
  await paintOf(page, `${place}/deliveries`, 'shown, newest first');
  const frames = await scrollFrames(page, Math.min(SCROLLED_ROWS, ROWS));
  say('examining by axe');
  let findings = 0;
  for (const name of PAGES) {
    await page.goto(`${place}/${name}`);
    await page.getByRole('heading', { level: 1 }).waitFor();
    findings += await axeFindings(page);
  }
  const title = 'From a filter to its rows';
  const lines = [{ name: 'filter → rows', points: cumulative(filtered) }];
  return {
    figures: [
      { figure: 'scripts of the first page, gzip', value: first.kib, unit: 'KiB' },
      ...timeFigures('first useful paint', first.paints),
      ...timeFigures('filter → rows', filtered),
      { figure: 'frame p99 of 10,000 rows', value: percentile(frames, 99), unit: 'ms' },
      { figure: 'longest frame of 10,000 rows', value: Math.max(...frames), unit: 'ms' },
      { figure: 'frames above 50 ms', value: frames.filter((ms) => ms > LONG_FRAME_MS).length, unit: '' },
      { figure: 'axe, serious and critical', value: findings, unit: '' },
    ],
    plot: { kind: 'lines', title, x: 'milliseconds', y: '% no slower (to 99 %)', lines },
  };
}

type Session = Awaited<ReturnType<BrowserContext['storageState']>>;

/** Loads the first page several times, each time in a browser that has cached nothing. */
async function loadOften(browser: Browser, session: Session, place: string) {
  const paints: number[] = [];
  let kib = Number.NaN;
  for (let load = 0; load < LOADS; load += 1) {
    const context = await openContext(browser, session);
    const page = await context.newPage();
    paints.push(await paintOf(page, `${place}/overview`, 'Accepted events'));
    kib = await scriptKib(page, '/time-chart-');
    await context.close();
  }
  return { paints, kib };
}

/** Reduces motion, because axe would measure colours in the middle of transitions. */
function openContext(browser: Browser, session: Session): Promise<BrowserContext> {
  return browser.newContext({
    storageState: session,
    viewport: { width: 1440, height: 900 },
    reducedMotion: 'reduce',
  });
}

async function logIn(browser: Browser, place: string): Promise<Session> {
  const context = await browser.newContext();
  const { origin } = new URL(place);
  const answer = await context.request.post(`${origin}/api/auth/login`, { data: LOGIN, headers: { origin } });
  if (!answer.ok()) throw new Error(`the login answered ${answer.status()}`);
  const session = await context.storageState();
  await context.close();
  return session;
}

async function addOwner({ databaseUrl, workspaceId }: Stack, baseUrl: string): Promise<void> {
  const db = createDb({ databaseUrl, maxConnections: 1, onIdleError: () => {} });
  const token = await seedSession(db, { workspaceId, role: 'owner' });
  const answer = await fetch(`${baseUrl}/api/workspaces/${workspaceId}/members`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ ...LOGIN, role: 'owner' }),
  });
  await db.$disconnect();
  if (!answer.ok) throw new Error(`the member was not added: ${answer.status} ${await answer.text()}`);
}
