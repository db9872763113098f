import { EXIT, type Failure } from './failure.ts';

/** What begins the ids of each kind, what it is called, and the word of its commands. */
const KINDS: Record<string, { kind: string; word: string }> = {
  ep: { kind: 'an endpoint', word: 'endpoints' },
  dlv: { kind: 'a delivery', word: 'deliveries' },
  msg: { kind: 'an event', word: 'events' },
  app: { kind: 'an application', word: 'applications' },
  evt: { kind: 'an event type', word: 'event-types' },
  op: { kind: 'an operation', word: 'operations' },
  env: { kind: 'an environment', word: 'environments' },
  alr: { kind: 'an alert rule', word: 'alert-rules' },
};

/** What could not be found because its id is one of another kind is told so. */
export function withKind(failure: Failure, argv: readonly string[]): Failure {
  if (failure.exitCode !== EXIT.notFound && failure.exitCode !== EXIT.refused) return failure;
  const [word = '', verb = '', id = ''] = argv;
  const ofWord = Object.keys(KINDS).find((prefix) => KINDS[prefix]?.word === word);
  const found = KINDS[id.split('_')[0] ?? ''];
  if (ofWord === undefined || found === undefined || found.word === word || !TAKES_ID.has(verb)) return failure;
  return { ...failure, next: `${id} is ${found.kind}: posthorn ${found.word} get ${id}` };
}

/** The commands of which the first argument is an id of the word's kind. */
const TAKES_ID = new Set([
  'get',
  'update',
  'delete',
  'retry',
  'cancel',
  'trace',
  'test',
  'doctor',
  'enable',
  'disable',
  'watch',
  'recover',
  'attempts',
]);

/** The known name that is most like a wrong one; undefined where none is. */
export function nearest(wanted: string, known: readonly string[]): string | undefined {
  const near = known
    .map((name) => ({ name, distance: distance(wanted.toLowerCase(), name.toLowerCase()) }))
    .filter((one) => one.distance <= Math.max(1, Math.floor(wanted.length / 4)))
    .sort((one, other) => one.distance - other.distance);
  return near[0]?.name;
}

/** How many letters must change, come or go, so that one text becomes the other. */
function distance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (const [n, letter] of [...one].entries()) {
    const next = [n + 1];
    for (let at = 1; at <= other.length; at += 1) {
      const changed = (row[at - 1] ?? 0) + (letter === other[at - 1] ? 0 : 1);
      next.push(Math.min(changed, (row[at] ?? 0) + 1, (next[at - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
