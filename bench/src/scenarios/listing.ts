import { insertHistory } from '../backlog.ts';
import { cumulative, timeFigures } from '../figures.ts';
import { now } from '../load.ts';
import { type Management, managementOf, oneEndpointEach } from '../management.ts';
import type { Context, Outcome, Scenario } from '../scenario.ts';
import { type Stack, withStack } from '../stack.ts';

const ROWS = 1_000_000;
const REQUESTS = 1_000;
const PAGES = 200;

export const listing: Scenario = {
  name: 'listing',
  what: 'pages of deliveries with 1,000,000 in the table, over six days and ten endpoints',
  run: (context) => withStack(context, (stack) => measure(context, stack)),
};

type Page = { deliveries: unknown[]; nextCursor: string | null };

async function measure({ say }: Context, stack: Stack): Promise<Outcome> {
  const api = await stack.startApi();
  const manage = managementOf(api, stack);
  // Nothing is ever sent to these addresses.
  const urls = Array.from({ length: 10 }, (_, index) => `https://127.0.0.1:9443/${index}`);
  const { endpointIds } = await oneEndpointEach(manage, { stack, apis: [api], urls, name: 'listed' });
  say(`inserting ${ROWS.toLocaleString('en-US')} deliveries`);
  await insertHistory(stack, endpointIds, ROWS);
  say('listing');
  const lists = [...endpointIds.map((id) => `/endpoints/${id}/deliveries`), '/deliveries'];
  await askMany(manage, lists, '');
  const first = await askMany(manage, lists, '');
  const failed = await askMany(manage, lists, 'status=failed');
  const following = await walk(manage, `/endpoints/${endpointIds[0]}/deliveries?limit=100`);
  const lines = [
    { name: 'first page', points: cumulative(first) },
    { name: 'status=failed', points: cumulative(failed) },
    { name: 'following pages of 100', points: cumulative(following) },
  ];
  const title = 'A page of deliveries with 1,000,000 in the table';
  return {
    figures: [
      ...timeFigures('first page', first),
      ...timeFigures('with status=failed', failed),
      ...timeFigures('following pages of 100', following),
    ],
    plot: { kind: 'lines', title, x: 'milliseconds', y: '% no slower (to 99 %)', lines },
  };
}

/**
 * One caller that requests the lists in rotation, one request after another; returns the milliseconds until each whole
 * answer.
 */
async function askMany(manage: Management, lists: readonly string[], query: string): Promise<number[]> {
  const took: number[] = [];
  while (took.length < REQUESTS) {
    const startedAt = now();
    await manage<Page>('GET', `${lists[took.length % lists.length]}?${query}`);
    took.push(now() - startedAt);
  }
  return took;
}

async function walk(manage: Management, path: string): Promise<number[]> {
  const took: number[] = [];
  for (let cursor: string | null = ''; cursor !== null && took.length < PAGES; ) {
    const startedAt = now();
    const page: Page = await manage('GET', `${path}${cursor === '' ? '' : `&cursor=${cursor}`}`);
    took.push(now() - startedAt);
    cursor = page.nextCursor;
  }
  return took;
}
