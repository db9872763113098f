import { LIMITS } from '@posthorn/contract/limits';
import { nestsAtMost } from '@posthorn/contract/primitives';
import { parseSigningSecret } from '@posthorn/crypto/signing-secret';
import { AGENT_DELIVERY_MODE } from '@posthorn/destinations/kinds';
import { z } from 'zod';
import type { Agent } from './agent.ts';
import { EventsError, invalidField } from './events-error.ts';

export type SubscribeParams = {
  name: string;
  arguments: Record<string, unknown>;
  /** As given: its rules are checked later. */
  url: string;
  /** In canonical form. */
  secret: string;
  /** Whether the agent gave a cursor, to get the events after it. */
  hasCursor: boolean;
  /** The wished time until the next refresh; null for the longest. */
  ttlMs: number | null;
};

const shared = { name: z.string(), arguments: z.record(z.string(), z.unknown()).optional() };
const subscribeShape = z.looseObject({
  ...shared,
  delivery: z.looseObject({ mode: z.string(), url: z.string(), secret: z.string() }),
  cursor: z.string().nullish(),
  ttlMs: z.int().min(1).nullish(),
});
const unsubscribeShape = z.looseObject({
  ...shared,
  delivery: z.looseObject({ mode: z.string().optional(), url: z.string() }),
});

const MAX_VALUE_CHARACTERS = 100;
const MAX_ARGUMENT_LEVELS = 10;

/** Reads the shape of a subscribe. Unknown fields are ignored. Throws an `EventsError` that names the first wrong field. */
export function readSubscribe(
  params: unknown,
): Omit<SubscribeParams, 'secret'> & { mode: string; givenSecret: string } {
  const { name, arguments: given, delivery, cursor, ttlMs } = read(subscribeShape, params);
  const { mode, url, secret } = delivery;
  const values = { name, arguments: requireFlat(given), url, mode, givenSecret: secret };
  return { ...values, hasCursor: cursor != null, ttlMs: ttlMs ?? null };
}

/** Reads the shape of an unsubscribe, as `readSubscribe` does. */
export function readUnsubscribe(params: unknown): Pick<SubscribeParams, 'name' | 'arguments' | 'url'> {
  const { name, arguments: given, delivery } = read(unsubscribeShape, params);
  return { name, arguments: requireFlat(given), url: delivery.url };
}

/** Refuses every mode but webhooks: no streams and no polling. */
export function requireMode(mode: string): void {
  if (mode === AGENT_DELIVERY_MODE) return;
  const value = mode.slice(0, MAX_VALUE_CHARACTERS);
  throw new EventsError('unsupported', `Only deliveries of the mode ${AGENT_DELIVERY_MODE} are supported`, {
    feature: 'deliveryMode',
    value,
  });
}

/** `whsec_` and the base64 of 24 to 64 bytes, padded or not, in the form in which secrets are stored. */
export function requireSecret(given: string): string {
  const missing = given.includes('=') ? 0 : (4 - ((given.length - PREFIX_CHARACTERS) % 4)) % 4;
  const padded = `${given}${'='.repeat(missing)}`;
  if (given.length <= MAX_SECRET_CHARACTERS && parseSigningSecret(padded) !== undefined) return padded;
  throw invalidField('delivery.secret', 'must be whsec_ and the base64 of 24 to 64 bytes');
}

/** `whsec_`. */
const PREFIX_CHARACTERS = 6;
const MAX_SECRET_CHARACTERS = 100;

function read<Shape extends z.ZodType>(shape: Shape, params: unknown): z.output<Shape> {
  const read = shape.safeParse(params ?? {});
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  const field = issue === undefined || issue.path.length === 0 ? 'params' : issue.path.join('.');
  throw invalidField(field.slice(0, MAX_VALUE_CHARACTERS), 'is missing or has the wrong type');
}

function requireFlat(given: Record<string, unknown> = {}): Record<string, unknown> {
  if (nestsAtMost(given, MAX_ARGUMENT_LEVELS)) return given;
  throw invalidField('arguments', `must be nested at most ${MAX_ARGUMENT_LEVELS} levels deep`);
}

/** Throws `forbidden` for a callback whose host is not among those that the environment allows. */
export function requireAllowedHost({ settings: { callbackHosts: hosts } }: Pick<Agent, 'settings'>, url: string): void {
  const { hostname } = new URL(url);
  if (hosts?.some((host) => (host.startsWith('*.') ? hostname.endsWith(host.slice(1)) : hostname === host)) ?? true)
    return;
  throw new EventsError('forbidden', 'The host of the callback is not allowed here', { reason: 'callback_host' });
}

export const MOST_OF_PRINCIPAL = LIMITS.agentSubscriptionsPerPrincipal;
export const MOST_OF_APPLICATION = LIMITS.agentSubscriptionsPerApplication;
