import { EXIT, type Failure } from './failure.ts';

/** By id prefix: the name of the kind, and the noun of its commands. */
const KINDS: Record<string, { kind: string; word: string }> = {
  ep: { kind: 'an endpoint', word: 'endpoints' },
  dlv: { kind: 'a delivery', word: 'deliveries' },
  msg: { kind: 'an event', word: 'events' },
  app: { kind: 'an application', word: 'applications' },
  evt: { kind: 'an event type', word: 'event-types' },
  op: { kind: 'an operation', word: 'operations' },
  env: { kind: 'an environment', word: 'environments' },
  src: { kind: 'a source', word: 'sources' },
  alr: { kind: 'an alert rule', word: 'alert-rules' },
};

/** Explains a failure whose cause is an id of another kind, and names the command for that kind. */
export function withKind(failure: Failure, argv: readonly string[]): Failure {
  if (failure.exitCode !== EXIT.notFound && failure.exitCode !== EXIT.refused) return failure;
  const [word = '', verb = '', id = ''] = argv;
  const ofWord = Object.keys(KINDS).find((prefix) => KINDS[prefix]?.word === word);
  const found = KINDS[id.split('_')[0] ?? ''];
  if (ofWord === undefined || found === undefined || found.word === word || !TAKES_ID.has(verb)) return failure;
  return { ...failure, next: `${id} is ${found.kind}: posthorn ${found.word} get ${id}` };
}

/** The commands whose first argument is an id of the noun's kind. */
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
