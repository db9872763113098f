import { fromId } from '@posthorn/contract/ids';
import { ensurePartitions, withConnection } from '@posthorn/db/partitions';
import { type Figure, percentile } from './figures.ts';
import { now } from './load.ts';
import { manage, type Target } from './target.ts';

const ROWS = 1_000_000;
const REQUESTS = 1_000;
const DAY_MS = 86_400_000;

type Page = { deliveries: unknown[]; nextCursor: string | null };

/** How long a page of deliveries takes with a million of them in the table, over six days and ten endpoints. */
export async function measureListing(target: Target, endpointIds: readonly string[]): Promise<Figure[]> {
  await insertHistory(target, endpointIds);
  const lists = [...endpointIds.map((id) => `/endpoints/${id}/deliveries`), '/deliveries'];
  const figures: Figure[] = [];
  for (const [figure, query] of [
    ['first page', ''],
    ['with status=failed', 'status=failed'],
  ] as const) {
    const took = await askMany(target, lists, query);
    figures.push(
      { scenario: 'listing', figure: `${figure} p50, 1,000,000 rows`, value: percentile(took, 50), unit: 'ms' },
      { scenario: 'listing', figure: `${figure} p99, 1,000,000 rows`, value: percentile(took, 99), unit: 'ms' },
    );
  }
  const deep = await walk(target, `/endpoints/${endpointIds[0]}/deliveries?limit=100`);
  figures.push({ scenario: 'listing', figure: 'following pages p99', value: percentile(deep, 99), unit: 'ms' });
  return figures;
}

/** One caller after another, the lists in turn; times are of whole answers. */
async function askMany(target: Target, lists: readonly string[], query: string): Promise<number[]> {
  const took: number[] = [];
  while (took.length < REQUESTS) {
    const startedAt = now();
    await manage<Page>(target, 'GET', `${lists[took.length % lists.length]}?${query}`);
    took.push(now() - startedAt);
  }
  return took;
}

async function walk(target: Target, path: string): Promise<number[]> {
  const took: number[] = [];
  for (let cursor: string | null = ''; cursor !== null && took.length < 200; ) {
    const startedAt = now();
    const page: Page = await manage(target, 'GET', `${path}${cursor === '' ? '' : `&cursor=${cursor}`}`);
    took.push(now() - startedAt);
    cursor = page.nextCursor;
  }
  return took;
}

/** Straight into the tables: events and their deliveries, a twentieth of them failed. */
async function insertHistory(target: Target, endpointIds: readonly string[]): Promise<void> {
  const endpoints = endpointIds.map((id) => fromId('ep', id));
  const workspace = fromId('ws', target.workspaceId);
  const environment = fromId('env', target.environmentId);
  await withConnection(target.databaseUrl, async (connection) => {
    await ensurePartitions(connection, new Date(now() - 6 * DAY_MS));
    const key = `(lpad(to_hex((extract(epoch from now()) * 1000)::bigint - n * 500), 12, '0') || '7'
      || substr(md5(n::text), 1, 3) || '8' || substr(md5(n::text), 4, 15))::uuid`;
    await connection.query(
      `insert into event (id, workspace_id, environment_id, event_type, payload_size, published)
       select ${key}, $1, $2, 'bench.history', 0, true from generate_series(1, $3::int) n`,
      [workspace, environment, ROWS],
    );
    await connection.query(
      `insert into delivery (id, event_id, endpoint_id, workspace_id, environment_id, event_type, status)
       select ${key}, ${key}, ($3::uuid[])[1 + n % 10], $1, $2, 'bench.history',
         (case when n % 20 = 0 then 'failed' else 'delivered' end)::delivery_status from generate_series(1, $4::int) n`,
      [workspace, environment, endpoints, ROWS],
    );
    await connection.query('vacuum (analyze) delivery, event');
  });
}
