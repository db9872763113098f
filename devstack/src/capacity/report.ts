import type { Costs } from './costs.ts';
import type { Load } from './options.ts';
import type { Plan } from './plan.ts';

/** The plan as a text of lines with a name, what is needed, and why. */
export function reportOf(load: Load, costs: Costs, plan: Plan): string {
  const { api, dispatcher, redis, postgres, cells } = plan;
  const rows: [name: string, needs: string, why: string][] = [
    ['API', `${count(api.processes)} processes`, `${busy(api.busyCores, 'cores')}, ${size(api.memory)} of memory`],
    [
      'dispatcher',
      `${count(dispatcher.processes)} processes`,
      `${busy(dispatcher.busyCores, 'cores')}, ${size(dispatcher.memory)} of memory; limited by ${dispatcher.isLimitedBy}`,
    ],
    [
      'Redis',
      `${count(redis.masters)} ${redis.masters === 1 ? 'master' : 'masters'}`,
      `${busy(redis.busyThreads, 'threads')}; DELIVER_QUEUE_SHARDS=${redis.queueShards} in each cell`,
    ],
    ['Postgres', `${count(postgres.cores)} cores`, `${busy(postgres.busyCores, 'cores')}; more for vacuum and lists`],
    ['WAL', `${size(postgres.wal)}/s`, `at most ${load['wal-per-postgres']} MB/s for one Postgres`],
    ['disk', `${size(postgres.disk)}`, `${size(postgres.diskPerDay)} a day for ${load['retention-days']} days`],
    ['connections', count(plan.connections), 'of all processes to Postgres'],
    ['cells', count(cells.count), `of ${rate(cells.eventsEach)} events a second, each with its own Postgres`],
  ];
  const of = (index: 0 | 1) => Math.max(...rows.map((row) => row[index].length)) + 2;
  const lines = rows.map(([name, needs, why]) => `${name.padEnd(of(0))}${needs.padEnd(of(1))}${why}`);
  return [
    `${rate(load.events)} events, ${rate(plan.deliveries)} deliveries, ${rate(plan.attempts)} attempts a second; payloads of ${count(load.payload)} bytes`,
    '',
    ...lines,
    '',
    `By docs/benchmarks/run.json (${costs.measured}), at ${short.format(load.use * 100)} % of each core. Larger payloads than the 500`,
    'bytes of that run also take more CPU, which the plan does not contain.',
    '',
  ].join('\n');
}

const whole = new Intl.NumberFormat('en', { maximumFractionDigits: 0 });
const short = new Intl.NumberFormat('en', { maximumSignificantDigits: 3 });

function count(value: number): string {
  return whole.format(value);
}

function rate(value: number): string {
  return value < 10 ? short.format(value) : whole.format(value);
}

function busy(value: number, unit: string): string {
  return `${short.format(value)} busy ${unit}`;
}

/** In units of 1,000, as disks are sold. */
function size(bytes: number): string {
  const units = ['bytes', 'kB', 'MB', 'GB', 'TB', 'PB'];
  let value = bytes;
  let unit = 0;
  while (value >= 1_000 && unit < units.length - 1) {
    value /= 1_000;
    unit += 1;
  }
  return `${short.format(value)} ${units[unit]}`;
}
