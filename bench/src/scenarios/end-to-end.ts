import type { Figure } from '../figures.ts';
import { type Burst, burst, LEAD_IN_SECONDS, together, WARM_UP_SECONDS } from '../flat-out.ts';
import type { Context, Outcome, Scenario } from '../scenario.ts';
import { alternating, type Side, type Sides, withSides } from '../sides.ts';

export const endToEnd: Scenario = {
  name: 'end-to-end',
  what: 'events delivered per second to ten healthy HTTPS endpoints, posted at full rate, everything on this machine',
  run: (context) => withSides(context, { consumers: true }, (sides) => measureEndToEnd(context, sides)),
};

async function measureEndToEnd({ seconds, say }: Context, sides: Sides): Promise<Outcome> {
  const { receivers } = sides;
  for (const side of [sides.posthorn, sides.bare]) await burst({ ...side, receivers, seconds: WARM_UP_SECONDS });
  const bursts: Record<Side['name'], Burst[]> = { Posthorn: [], bare: [] };
  for (const side of alternating(sides)) {
    say(side.name);
    await burst({ ...side, receivers, seconds: LEAD_IN_SECONDS });
    bursts[side.name].push(await burst({ ...side, receivers, seconds: seconds / 2 }));
  }
  const [own, bare] = [together(bursts.Posthorn), together(bursts.bare)];
  const both = (figure: string, unit: string, of: (side: typeof own) => number): Figure => ({
    figure,
    value: of(own),
    unit,
    bare: of(bare),
  });
  const figures: Figure[] = [
    both('delivered end to end', '/s', (side) => side.deliveredPerSecond),
    both('accepted while delivering', '/s', (side) => side.acceptedPerSecond),
    both('refused', '', (side) => side.refused),
    both('accepted but not delivered', '', (side) => side.lost),
    both('connections opened', '', (side) => side.connections),
    ...[...own.cpuPerEvent.keys()].map((name) =>
      both(`CPU ${name}, an event`, 'µs', (side) => side.cpuPerEvent.get(name) ?? Number.NaN),
    ),
  ];
  const lines = [
    { name: 'Posthorn', points: bursts.Posthorn[0]?.rates ?? [] },
    { name: 'bare pipeline', points: bursts.bare[0]?.rates ?? [] },
  ];
  const title = 'Deliveries per second while events are posted at full rate, and after';
  return {
    figures,
    plot: { kind: 'lines', title, x: 'seconds since the first post', y: 'deliveries per second', lines },
  };
}
