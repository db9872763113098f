import { quantile } from '../oracle.ts';
import type { Rig } from '../rig.ts';
import type { Mark, Outcome, Tools } from '../row.ts';
import { inTurns } from './ask.ts';
import { type Pair, placesOfIds } from './interface-id-places.ts';
import { missing, readOperations } from './interface-operations.ts';
import { type Equipped, equipAnother, equipOwn, rowsOf } from './interface-things.ts';

const AT_ONCE = 8;
const TIMED = 150;
const APART_AT_MOST_MS = 2;

/** Every place where an id is given: in paths, filters, bodies and headers. */
export async function foreignIds(rig: Rig, { random, scaled, say }: Tools): Promise<Outcome> {
  const own = await equipOwn(rig);
  const another = await equipAnother(rig);
  const operations = await readOperations(rig.apis[0]?.url ?? '');
  const whole = await placesOfIds(rig, { own, another, operations });
  await rig.drain();
  const before = await rowsOf(rig);
  const pairs = random.sample(whole, scaled(whole.length));
  const wrong = (
    await inTurns(pairs, AT_ONCE, async ({ what, noun, id, wanted, send }, n) => {
      const foreign = await send(id ?? another.things[noun], n);
      const nobodys = await send(missing(noun), n + 1);
      const same = foreign.status === nobodys.status && foreign.text === nobodys.text;
      if (same && foreign.status === wanted) return undefined;
      return `${what}: ${foreign.status} ${foreign.text.slice(0, 150)} where a missing one is ${nobodys.status} ${nobodys.text.slice(0, 150)}`;
    })
  ).filter((one) => one !== undefined);
  for (const one of wrong.slice(0, 10)) say(one);
  const after = await rowsOf(rig);
  if (after !== before) say(`before ${before}, after ${after}`);
  return {
    duplicatesAtMost: 0,
    marks: [
      { what: 'places', value: pairs.length },
      { what: 'told apart', value: wrong.length, atMost: 0 },
      { what: 'changes', value: after === before ? 0 : 1, atMost: 0 },
      ...(await timed(whole, { another, say })),
    ],
  };
}

/** Whether the time tells what the bytes do not: the medians of reads, asked for in turn. */
async function timed(
  pairs: readonly Pair[],
  { another, say }: { another: Equipped; say: Tools['say'] },
): Promise<Mark[]> {
  const apart: number[] = [];
  for (const what of ['getEndpoint, endpoints', 'getDelivery, deliveries', 'getApplication, applications']) {
    const pair = pairs.find((one) => one.what === what);
    if (pair === undefined) throw new Error(`there is no ${what}`);
    const times: { foreign: number[]; nobodys: number[] } = { foreign: [], nobodys: [] };
    for (let n = 0; n < TIMED; n += 1) {
      times.foreign.push((await pair.send(another.things[pair.noun], 0)).afterMs);
      times.nobodys.push((await pair.send(missing(pair.noun), 0)).afterMs);
    }
    const [foreign, nobodys] = [quantile(times.foreign, 0.5), quantile(times.nobodys, 0.5)];
    say(`${what}: median ${foreign.toFixed(2)} ms of another's, ${nobodys.toFixed(2)} ms of nobody's`);
    apart.push(Math.abs(foreign - nobodys));
  }
  return [{ what: 'medians apart', unit: 'ms', value: Math.max(...apart), atMost: APART_AT_MOST_MS }];
}
