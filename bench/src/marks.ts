import type { Figure } from './figures.ts';

/** The required value of a figure; `ratio` is relative to the bare pipeline of the same run. */
type Mark = { scenario: string; figure: string; of: 'value' | 'ratio'; atLeast?: number; atMost?: number };

const marks: readonly Mark[] = [
  { scenario: 'ingest', figure: 'accepted, 64 connections', of: 'ratio', atLeast: 0.85 },
  { scenario: 'end-to-end', figure: 'delivered end to end', of: 'ratio', atLeast: 0.8 },
  { scenario: 'latency', figure: 'accept → receiver p50', of: 'value', atMost: 8 },
  { scenario: 'latency', figure: 'accept → receiver p99', of: 'value', atMost: 40 },
  { scenario: 'latency', figure: 'ingest answer p50', of: 'value', atMost: 4 },
  { scenario: 'shapes', figure: 'one: accept → receiver p50', of: 'ratio', atMost: 0.45 },
  { scenario: 'shapes', figure: 'one: accept → receiver p99', of: 'ratio', atMost: 0.8 },
  { scenario: 'shapes', figure: 'postgres: delivered, against scaled', of: 'value', atLeast: 0.85 },
  { scenario: 'shapes', figure: 'one: delivered, against scaled', of: 'value', atLeast: 0.75 },
  { scenario: 'shapes', figure: 'one: CPU of an event, against scaled', of: 'value', atMost: 0.85 },
  { scenario: 'shapes', figure: 'one, at rest: statements of one process', of: 'value', atMost: 20 },
  { scenario: 'shapes', figure: 'one, at rest: time of its statements in Postgres', of: 'value', atMost: 3 },
  { scenario: 'shapes', figure: 'one, at rest: WAL', of: 'value', atMost: 1_000 },
  { scenario: 'shapes', figure: 'one: resident in all, at rest, new', of: 'value', atMost: 190 },
  { scenario: 'shapes', figure: 'one: resident in all, 5 s after full rate', of: 'value', atMost: 220 },
  { scenario: 'shapes', figure: 'one: resident in all, peak', of: 'value', atMost: 260 },
  { scenario: 'shapes', figure: 'one: API ready', of: 'value', atMost: 2_500 },
  { scenario: 'fan-out', figure: 'against 1 → 1', of: 'value', atLeast: 1.1 },
  { scenario: 'fifo', figure: 'against no order', of: 'value', atLeast: 0.7 },
  { scenario: 'pull', figure: 'lease of 100 in Postgres p99', of: 'value', atMost: 20 },
  { scenario: 'pull', figure: '4 consumers', of: 'value', atLeast: 3_000 },
  { scenario: 'pull', figure: 'acceptance → waiting consumer p50', of: 'value', atMost: 100 },
  { scenario: 'pull', figure: '1,000 that wait: API', of: 'value', atMost: 5 },
  { scenario: 'filters', figure: 'matches', of: 'value', atLeast: 200_000 },
  { scenario: 'transformation', figure: 'against none', of: 'value', atLeast: 0.45 },
  { scenario: 'proxy', figure: 'against direct', of: 'value', atLeast: 0.8 },
  // One dispatcher sends to all endpoints.
  { scenario: 'oauth', figure: 'token requests, most of an endpoint', of: 'value', atMost: 1 },
  { scenario: 'destinations', figure: 'rabbitmq, rate against webhooks', of: 'value', atLeast: 0.8 },
  { scenario: 'destinations', figure: 'nats, rate against webhooks', of: 'value', atLeast: 0.8 },
  { scenario: 'destinations', figure: 'kafka, CPU against webhooks', of: 'value', atMost: 1.25 },
  { scenario: 'destinations', figure: 'memory of every kind', of: 'value', atMost: 120 },
  { scenario: 'sources', figure: 'CPU against HTTP', of: 'value', atMost: 0.5 },
  { scenario: 'sources', figure: 'record → receiver p50', of: 'value', atMost: 30 },
  { scenario: 'hanging', figure: 'rate kept by the nine', of: 'value', atLeast: 0.95 },
  { scenario: 'limited', figure: 'limit not reached, CPU against none', of: 'value', atMost: 1.3 },
  { scenario: 'limited', figure: 'limit reached, CPU against none', of: 'value', atMost: 1.3 },
  { scenario: 'limited', figure: 'delivered, of the limit', of: 'value', atLeast: 0.97 },
  { scenario: 'limited', figure: 'others beside the backlog, against without', of: 'value', atLeast: 0.9 },
  { scenario: 'limited', figure: 'Redis memory, peak', of: 'value', atMost: 20 },
  { scenario: 'drain', figure: 'rate against the empty one', of: 'value', atLeast: 0.9 },
  { scenario: 'drain', figure: 'Redis memory, peak', of: 'value', atMost: 100 },
  { scenario: 'drain', figure: 'list p99 while draining', of: 'value', atMost: 100 },
  { scenario: 'recovery', figure: 'dry run', of: 'value', atMost: 2_000 },
  { scenario: 'recovery', figure: 'another endpoint, p99 against none', of: 'value', atMost: 1.1 },
  { scenario: 'recovery', figure: 'Redis growth, peak', of: 'value', atMost: 20 },
  { scenario: 'erasure', figure: 'to the end', of: 'value', atMost: 600 },
  { scenario: 'erasure', figure: 'payloads left', of: 'value', atMost: 0 },
  { scenario: 'erasure', figure: 'another tenant, p99 against none', of: 'value', atMost: 1.1 },
  { scenario: 'search', figure: 'hit p99', of: 'value', atMost: 100 },
  { scenario: 'search', figure: 'hit, cold p99', of: 'value', atMost: 300 },
  { scenario: 'search', figure: 'miss p99', of: 'value', atMost: 100 },
  { scenario: 'search', figure: 'bytes a value, both indexes included', of: 'value', atMost: 140 },
  { scenario: 'search', figure: 'CPU api, two values of an event', of: 'value', atMost: 10 },
  { scenario: 'search', figure: 'CPU postgres, two values of an event', of: 'value', atMost: 15 },
  { scenario: 'memory', figure: 'dispatcher resident, full rate', of: 'value', atMost: 180 },
  { scenario: 'memory', figure: 'api resident, full rate', of: 'value', atMost: 160 },
  { scenario: 'storage', figure: 'live bytes an event', of: 'value', atMost: 1_000 },
  { scenario: 'storage', figure: 'written bytes an event', of: 'value', atMost: 1_600 },
  { scenario: 'cold-start', figure: 'api ready', of: 'value', atMost: 1_500 },
  { scenario: 'cold-start', figure: 'dispatcher ready', of: 'value', atMost: 1_500 },
  { scenario: 'clients', figure: 'TypeScript: rate against bare', of: 'value', atLeast: 0.9 },
  { scenario: 'clients', figure: 'Python: rate against bare', of: 'value', atLeast: 0.9 },
  { scenario: 'clients', figure: 'Go: rate against bare', of: 'value', atLeast: 0.9 },
  { scenario: 'verify', figure: 'Java: rate against a bare HMAC', of: 'value', atLeast: 0.5 },
  { scenario: 'verify', figure: 'Rust: rate against a bare HMAC', of: 'value', atLeast: 0.5 },
  { scenario: 'web', figure: 'scripts of the first page, gzip', of: 'value', atMost: 250 },
  { scenario: 'web', figure: 'first useful paint p50', of: 'value', atMost: 1_000 },
  { scenario: 'web', figure: 'filter → rows p50', of: 'value', atMost: 300 },
  { scenario: 'web', figure: 'longest frame of 10,000 rows', of: 'value', atMost: 50 },
  { scenario: 'web', figure: 'axe, serious and critical', of: 'value', atMost: 0 },
];

/** A figure of a scenario with its mark. */
export type Judged = Figure & { scenario: string; ratio?: number; mark?: string; verdict?: 'PASS' | 'MISS' };

/**
 * Adds the ratio to the bare pipeline and the verdict to a figure. A figure that could not be measured misses its mark.
 */
export function judge(scenario: string, figure: Figure): Judged {
  const judged = {
    scenario,
    ...figure,
    ...(figure.bare === undefined ? {} : { ratio: figure.value / figure.bare }),
  };
  const mark = marks.find((one) => one.scenario === scenario && one.figure === figure.figure);
  if (mark === undefined) return judged;
  const reached = (mark.of === 'ratio' ? judged.ratio : judged.value) ?? Number.NaN;
  const passed = mark.atLeast === undefined ? reached <= (mark.atMost ?? Number.NaN) : reached >= mark.atLeast;
  return { ...judged, mark: words(mark), verdict: passed ? 'PASS' : 'MISS' };
}

function words({ of, atLeast, atMost }: Mark): string {
  const bound = atLeast === undefined ? `≤ ${atMost?.toLocaleString('en-US')}` : `≥ ${atLeast}`;
  return of === 'ratio' ? `${bound} × bare` : bound;
}
