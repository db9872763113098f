import { eventbridge } from './eventbridge/describe.ts';
import { kafka } from './kafka/describe.ts';
import type { Kind } from './kind.ts';
import { kinesis } from './kinesis/describe.ts';
import { nats } from './nats/describe.ts';
import { playground } from './playground/describe.ts';
import { pubsub } from './pubsub/describe.ts';
import { pull } from './pull/describe.ts';
import { rabbitmq } from './rabbitmq/describe.ts';
import { s3 } from './s3/describe.ts';
import { sns } from './sns/describe.ts';
import { sqs } from './sqs/describe.ts';
import { webhook } from './webhook/describe.ts';

// Every kind of endpoint, one line each. No other file of the product names a kind (architecture.test.ts).
export const KINDS = [
  { ...webhook, load: () => import('./webhook/open.ts') },
  { ...playground, load: () => import('./playground/open.ts') },
  { ...pull, load: null },
  { ...rabbitmq, load: () => import('./rabbitmq/open.ts') },
  { ...kafka, load: () => import('./kafka/open.ts') },
  { ...nats, load: () => import('./nats/open.ts') },
  { ...sqs, load: () => import('./sqs/open.ts') },
  { ...sns, load: () => import('./sns/open.ts') },
  { ...kinesis, load: () => import('./kinesis/open.ts') },
  { ...eventbridge, load: () => import('./eventbridge/open.ts') },
  { ...s3, load: () => import('./s3/open.ts') },
  { ...pubsub, load: () => import('./pubsub/open.ts') },
] as const satisfies readonly Kind[];

/**
 * The kind of an agent subscription's endpoint. It is not in `KINDS` because nobody chooses it: a subscription creates
 * the endpoint. Its requests are webhooks with a body of their own.
 */
export const AGENT_KIND: Kind = {
  ...webhook,
  type: 'agent',
  label: 'Agent',
  description: 'Sends each event to the callback of an agent that subscribed over the Model Context Protocol.',
  setup: 'There is nothing to set up: a subscription of an agent makes the endpoint.',
  delivered: 'The callback answered the request with a status from 200 to 299.',
  ordering: 'None.',
  maxBytes: 262_144,
  credentials: null,
  whyNotExamined: 'The endpoint of an agent cannot be examined: the agent looks after its callback',
  payloadFormat: 'mcp',
  finalStatuses: { 410: 'gone', 413: 'message_too_large' },
  load: () => import('./webhook/open.ts'),
};

/** The name in MCP Events for deliveries to a callback: the only delivery mode that is offered to agents. */
export const AGENT_DELIVERY_MODE = 'webhook';

/** The kind of an endpoint whose creator names none. */
export const DEFAULT_KIND: Kind = KINDS[0];

const byType = new Map<string, Kind>([...KINDS, AGENT_KIND].map((kind) => [kind.type, kind]));

/** Undefined for a type that this version does not know. */
export function kindOf(type: string): Kind | undefined {
  return byType.get(type);
}

/** As `kindOf`, for a type that is known to exist. */
export function requireKind(type: string): Kind {
  const kind = kindOf(type);
  if (kind === undefined) throw new Error(`unknown type of endpoint: ${type}`);
  return kind;
}

/** Whether consumers fetch the messages. Nothing is sent to such an endpoint, so nothing about requests can be set. */
export function isPulled({ load }: Pick<Kind, 'load'>): boolean {
  return load === null;
}

/**
 * Whether messages go to a broker or a store, which `config.destination` names, instead of as HTTP requests in our
 * form.
 */
export function hasDestination({ section }: Pick<Kind, 'section'>): boolean {
  return section?.key === 'destination';
}

/** The part of `config` that only this kind has; `{}` if it is absent. */
export function settingsOf({ section }: Pick<Kind, 'section'>, config: unknown): unknown {
  const value: unknown =
    section === null || typeof config !== 'object' || config === null ? undefined : Reflect.get(config, section.key);
  return value ?? {};
}

/** Whether the new settings lead to another place. */
export function hasMoved({ placeOf = JSON.stringify }: Pick<Kind, 'placeOf'>, from: unknown, to: unknown): boolean {
  return placeOf(from) !== placeOf(to);
}

/** The URL of an endpoint whose kind has no server URL. The name never resolves (RFC 6761). */
export function urlWithoutServer({ type }: Pick<Kind, 'type'>, endpointId: string): string {
  return `https://${type}.invalid/${endpointId}`;
}
