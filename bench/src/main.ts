import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { startBare } from './bare/start.ts';
import { type Figure, table } from './figures.ts';
import { measureLatency } from './latency.ts';
import { measureListing } from './listing.ts';
import type { Ingest } from './load.ts';
import { startReceivers } from './receivers.ts';
import { readTarget, removeAll, subscribeAll, type Target } from './target.ts';
import { measureThroughput, type Processes } from './throughput.ts';

const ENDPOINTS = 10;
const BODY = JSON.stringify({ id: 'order_1002', note: 'x'.repeat(470), total: 1900 });

const { values: options } = parseArgs({
  options: { seconds: { type: 'string', default: '10' }, only: { type: 'string' } },
});
const seconds = Number(options.seconds);
const target = readTarget();
const figures: Figure[] = [];

if (options.only !== 'bare') figures.push(...(await measureProduct(target)));
if (options.only === undefined || options.only === 'bare') figures.push(...(await measureBare(target)));
figures.push(...ratios(figures));
report(figures);

async function measureProduct(target: Target): Promise<Figure[]> {
  const receivers = await startReceivers(ENDPOINTS, target.tls);
  const endpointIds: string[] = [];
  const paths: string[] = [];
  // Each event goes to one of ten endpoints: a type for each, and the load takes them in turn.
  for (const [index, url] of receivers.urls.entries()) {
    const eventType = `bench.run_${process.pid}_${index}`;
    endpointIds.push(...(await subscribeAll(target, eventType, [url])));
    paths.push(`/api/ingest/event/${eventType}`);
  }
  const headers = { authorization: `Bearer ${target.apiKey}`, 'content-type': 'application/json' };
  const ingest: Ingest = { baseUrl: target.baseUrl, paths, headers, body: BODY };
  const measured =
    options.only === 'listing'
      ? []
      : await measureBoth({ scenario: 'posthorn', ingest, receivers, processes: target.processes });
  if (options.only !== 'product') {
    say('posthorn: listing');
    measured.push(...(await measureListing(target, endpointIds)));
  }
  await removeAll(target, endpointIds);
  await receivers.close();
  return measured;
}

async function measureBare(target: Target): Promise<Figure[]> {
  const receivers = await startReceivers(ENDPOINTS, target.tls);
  const bare = await startBare(target, receivers.urls);
  const headers = { 'content-type': 'application/json' };
  const ingest: Ingest = { baseUrl: bare.baseUrl, paths: ['/events'], headers, body: BODY };
  const stores = target.processes.filter(({ name }) => name === 'postgres' || name === 'redis');
  const measured = await measureBoth({
    scenario: 'bare',
    ingest,
    receivers,
    processes: [...bare.processes, ...stores],
  });
  await bare.stop();
  await receivers.close();
  return measured;
}

type Measured = {
  scenario: string;
  ingest: Ingest;
  receivers: Awaited<ReturnType<typeof startReceivers>>;
  processes: Processes;
};

async function measureBoth({ scenario, ingest, receivers, processes }: Measured): Promise<Figure[]> {
  say(`${scenario}: latency`);
  const latency = await measureLatency({ scenario, ingest, receivers, seconds });
  say(`${scenario}: throughput`);
  return [...latency, ...(await measureThroughput({ scenario, ingest, receivers, seconds, processes }))];
}

/** What the product's own logic leaves of the same libraries without it. */
function ratios(measured: readonly Figure[]): Figure[] {
  return measured
    .filter((row) => row.scenario === 'posthorn' && (row.unit === '/s' || row.unit === 'ms' || row.unit === 'µs'))
    .flatMap((row) => {
      const bare = measured.find((other) => other.scenario === 'bare' && other.figure === row.figure);
      return bare === undefined ? [] : [{ ...row, scenario: 'ratio', value: row.value / bare.value, unit: '× bare' }];
    });
}

function report(measured: readonly Figure[]): void {
  const version = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')).version;
  const machine = { cpu: cpus()[0]?.model, cores: cpus().length, memoryGib: Math.round(totalmem() / 2 ** 30) };
  const folder = fileURLToPath(new URL('../results', import.meta.url));
  mkdirSync(folder, { recursive: true });
  const at = new Date().toISOString();
  const file = `${folder}/${at.replaceAll(':', '-')}.json`;
  writeFileSync(
    file,
    `${JSON.stringify({ at, version, node: process.version, machine, figures: measured }, null, 2)}\n`,
  );
  process.stdout.write(`\n${table(measured)}\n\n`);
  say(`written to ${file}`);
}

function say(text: string): void {
  process.stderr.write(`bench        ${text}\n`);
}
