import { missingId } from '@posthorn/testkit/id-nouns';
import { quantile } from '../oracle.ts';
import type { Rig } from '../rig.ts';
import type { Mark, Outcome, Tools } from '../row.ts';
import { askEach } from './ask-each.ts';
import { type Pair, placesOfIds } from './interface-id-places.ts';
import { readOperations } from './interface-operations.ts';
import { type Equipped, equipAnother, equipOwn } from './interface-things.ts';

const TIMED = 150;
const APART_AT_MOST_MS = 2;

/** Checks every place for an id, in paths, filters, bodies and headers. */
export async function foreignIds(rig: Rig, { random, scaled, say }: Tools): Promise<Outcome> {
  const own = await equipOwn(rig);
  const another = await equipAnother(rig);
  const operations = await readOperations(rig.apis[0]?.url ?? '');
  const whole = await placesOfIds(rig, { own, another, operations });
  const pairs = random.sample(whole, scaled(whole.length));
  const wrong = await askEach(
    rig,
    { cases: pairs, say, what: 'distinguishable' },
    async ({ what, noun, id, wanted, send }, n) => {
      const [foreignId, absentId] = [id ?? another.things[noun], missingId(noun)];
      const foreign = await send(foreignId, n);
      const missing = await send(absentId, n + 1);
      // A message may repeat the id of the request.
      const told = [foreign.text.replaceAll(foreignId, '…'), missing.text.replaceAll(absentId, '…')];
      const same = foreign.status === missing.status && told[0] === told[1];
      if (same && foreign.status === wanted) return undefined;
      return `${what}: ${foreign.status} ${foreign.text.slice(0, 150)} where a missing one is ${missing.status} ${missing.text.slice(0, 150)}`;
    },
  );
  return {
    duplicatesAtMost: 0,
    marks: [{ what: 'places', value: pairs.length }, ...wrong, ...(await timed(whole, { another, say }))],
  };
}

/** Compares the median times of alternating reads: the time must not reveal whether an id exists. */
async function timed(
  pairs: readonly Pair[],
  { another, say }: { another: Equipped; say: Tools['say'] },
): Promise<Mark[]> {
  const apart: number[] = [];
  for (const what of ['getEndpoint, endpoints', 'getDelivery, deliveries', 'getApplication, applications']) {
    const pair = pairs.find((one) => one.what === what);
    if (pair === undefined) throw new Error(`there is no ${what}`);
    const times: { foreign: number[]; missing: number[] } = { foreign: [], missing: [] };
    for (let n = 0; n < TIMED; n += 1) {
      times.foreign.push((await pair.send(another.things[pair.noun], 0)).afterMs);
      times.missing.push((await pair.send(missingId(pair.noun), 0)).afterMs);
    }
    const [foreign, missing] = [quantile(times.foreign, 0.5), quantile(times.missing, 0.5)];
    say(`${what}: median ${foreign.toFixed(2)} ms for a foreign id, ${missing.toFixed(2)} ms for a missing id`);
    apart.push(Math.abs(foreign - missing));
  }
  return [{ what: 'difference of medians', unit: 'ms', value: Math.max(...apart), atMost: APART_AT_MOST_MS }];
}
