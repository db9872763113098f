import { matches } from '@posthorn/filter/match-filter';
import { type Filter, parseFilter } from '@posthorn/filter/parse-filter';
import { payloadOf } from '@posthorn/filter/payload';
import { now } from '../load.ts';
import type { Context, Outcome, Scenario } from '../scenario.ts';

const BODY_BYTES = 1_000;
/** The number of matches between two readings of the clock. */
const AT_ONCE = 1_000;

/** Filters of subscriptions, with one to four conditions. Most do not match. */
const FILTERS: readonly object[] = [
  { 'data.amount': { gte: 10_000 } },
  { 'data.currency': 'EUR', 'data.amount': { gte: 100, lt: 5_000 } },
  { 'data.customer.plan': { in: ['pro', 'enterprise'] }, 'data.customer.country': 'DE' },
  { or: [{ 'data.status': 'failed' }, { 'data.items.0.sku': { startsWith: 'sku-9' } }] },
  { not: { 'data.customer.isTest': true }, 'data.items.2.quantity': { gt: 1 } },
];

export const filters: Scenario = {
  name: 'filters',
  what: 'filters of subscriptions matched on bodies of 1 KB, by one core, without a store',
  run: async (context) => measure(context),
};

function measure({ seconds, say }: Context): Outcome {
  const bodies = Array.from({ length: 100 }, (_, n) => bodyOf(n));
  const parsed = FILTERS.map(filterOf);
  const payloads = bodies.map((body) => JSON.parse(body.toString()) as unknown);
  let matched = 0;
  const one = (n: number) => {
    const filter = parsed[n % parsed.length];
    if (filter !== undefined && matches(filter, payloads[n % payloads.length])) matched += 1;
  };
  const whole = (n: number) => {
    const filter = parsed[n % parsed.length];
    const payload = payloadOf('application/json', bodies[n % bodies.length]);
    if (filter !== undefined && payload.kind === 'json' && matches(filter, payload.value)) matched += 1;
  };
  say('matches of a parsed body');
  const perSecond = rateOf(one, seconds / 2);
  say('bodies parsed, with one match each');
  const parsedPerSecond = rateOf(whole, seconds / 2);
  if (matched === 0) throw new Error('no filter matched');
  return {
    figures: [
      { figure: 'matches', value: perSecond, unit: '/s' },
      { figure: 'bodies parsed and matched once', value: parsedPerSecond, unit: '/s' },
    ],
  };
}

/** Calls of `work` per second. It first runs for a tenth of the time, to be compiled. */
function rateOf(work: (n: number) => void, seconds: number): number {
  const run = (forMs: number) => {
    const beganMs = now();
    let calls = 0;
    while (now() - beganMs < forMs) {
      for (let n = 0; n < AT_ONCE; n += 1) work(calls + n);
      calls += AT_ONCE;
    }
    return (1_000 * calls) / (now() - beganMs);
  };
  run(100 * seconds);
  return run(1_000 * seconds);
}

function filterOf(source: object): Filter {
  const result = parseFilter(source);
  if (result.kind !== 'filter') throw new Error(`a filter is not valid: ${JSON.stringify(source)}`);
  return result.filter;
}

function bodyOf(n: number): Buffer {
  const data = {
    amount: 50 * n,
    currency: n % 2 === 0 ? 'EUR' : 'USD',
    status: n % 10 === 0 ? 'failed' : 'paid',
    customer: { id: `customer-${n}`, plan: n % 3 === 0 ? 'pro' : 'free', country: n % 4 === 0 ? 'DE' : 'FR' },
    items: Array.from({ length: 8 }, (_, item) => ({ sku: `sku-${(n + item) % 10}`, quantity: item % 3 })),
    note: '',
  };
  data.note = 'x'.repeat(Math.max(0, BODY_BYTES - JSON.stringify({ data }).length));
  return Buffer.from(JSON.stringify({ data }));
}
