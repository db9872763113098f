import { burst, WARM_UP_SECONDS } from '../flat-out.ts';
import { managementOf, oneEndpointEach } from '../management.ts';
import type { Point } from '../plot.ts';
import { type Receivers, startReceivers } from '../receivers.ts';
import type { Context, Outcome, Scenario } from '../scenario.ts';
import { type Stack, withStack } from '../stack.ts';

export const hanging: Scenario = {
  name: 'hanging',
  what: 'one of ten endpoints never answers: the rate of the other nine, compared with a healthy tenth',
  run: measure,
};

/** The share of the nine healthy endpoints among the ten. */
const NINE = 0.9;

/** The deliveries to the nine healthy endpoints. */
type Part = { delivered: number; seconds: number; rates: Point[]; hung: number };

/** Uses two stacks, because an open breaker and its waiting deliveries would affect the next part. */
async function measure(context: Context): Promise<Outcome> {
  const rounds = [await measureRound(context, 1), await measureRound(context, 2)];
  const healthy = rounds.map((round) => round.healthy);
  const beside = rounds.map((round) => round.beside);
  const [whole, kept] = [rateOf(healthy), rateOf(beside)];
  const lines = [
    { name: 'the tenth healthy', points: healthy[0]?.rates ?? [] },
    { name: 'the tenth hanging', points: beside[0]?.rates ?? [] },
  ];
  const title = 'Deliveries per second to nine endpoints, by the state of the tenth';
  return {
    figures: [
      { figure: 'the nine, the tenth healthy', value: whole, unit: '/s' },
      { figure: 'the nine, the tenth hanging', value: kept, unit: '/s' },
      { figure: 'rate kept by the nine', value: kept / whole, unit: '×' },
      { figure: 'requests left hanging', value: beside.reduce((sum, part) => sum + part.hung, 0), unit: '' },
    ],
    plot: { kind: 'lines', title, x: 'seconds since the first post', y: 'deliveries per second', lines },
  };
}

type Round = { healthy: Part; beside: Part };

function measureRound(context: Context, number: number): Promise<Round> {
  return withStack(context, async (stack) => {
    const receivers = await startReceivers(11, stack.tls);
    try {
      return await measureParts(context, { stack, receivers, number });
    } finally {
      await receivers.close();
    }
  });
}

/** The nine of both parts are the same endpoints under the same load; only the target of the tenth's events differs. */
async function measureParts(
  { seconds, say }: Context,
  { stack, receivers, number }: { stack: Stack; receivers: Receivers; number: number },
): Promise<Round> {
  const [api, dispatcher] = [await stack.startApi(), await stack.startDispatcher()];
  const [hangs, ...origins] = receivers.origins;
  const urls = [...origins.map((origin) => `${origin}/hook`), `${hangs}/hang`];
  const any = await oneEndpointEach(managementOf(api, stack), { stack, apis: [api], urls, name: 'any' });
  const toPaths = (paths: readonly string[]) => ({ ingest: { ...any.ingest, paths }, processes: [api, dispatcher] });
  const { paths } = any.ingest;
  const [allHealthy, tenthHangs] = [toPaths(paths.slice(0, 10)), toPaths([...paths.slice(0, 9), ...paths.slice(10)])];
  await burst({ ...allHealthy, receivers, seconds: WARM_UP_SECONDS });
  say(`round ${number}: the tenth healthy`);
  const all = await burst({ ...allHealthy, receivers, seconds });
  say(`round ${number}: the tenth hanging`);
  const hungBefore = receivers.hung();
  const nine = await burst({ ...tenthHangs, receivers, seconds, share: NINE });
  const rates = all.rates.map(([at, rate]): Point => [at, rate * NINE]);
  return {
    healthy: { delivered: all.delivered * NINE, seconds: all.seconds, rates, hung: 0 },
    beside: { ...nine, hung: receivers.hung() - hungBefore },
  };
}

function rateOf(parts: readonly Part[]): number {
  return parts.reduce((sum, part) => sum + part.delivered, 0) / parts.reduce((sum, part) => sum + part.seconds, 0);
}
