import type { EndpointRead, Subscription } from '@posthorn/client';
import { given } from '../command.ts';
import { requireEventTypeIds } from '../commands/event-types.ts';
import type { Context } from '../context.ts';

/** The events that an endpoint gets. */
export type Choice = {
  /** Names and patterns of event types; undefined if none were named. */
  types: readonly string[] | undefined;
  filter: Record<string, unknown> | undefined;
};

/**
 * Gives an existing endpoint the named types and filter. If none are named, it keeps its own. A wrong name or filter is
 * refused before anything changes.
 */
export async function changeSubscriptions(
  { client, environmentId, signal }: Context,
  { id }: EndpointRead,
  { types, filter }: Choice,
): Promise<void> {
  if (types === undefined && filter === undefined) return;
  const chosen = types ?? ['*'];
  const options = { environmentId: await environmentId(), signal };
  const names = chosen.filter((one) => !isPattern(one));
  const patterns = chosen.filter(isPattern).map((pattern) => ({ pattern, filter: filter ?? null }));
  const setPatterns = () => client().endpoints.update(id, { eventTypePatterns: patterns }, options);
  const before: Subscription[] = [];
  for await (const one of client().subscriptions.list(id, options)) before.push(one);
  if (names.length > 0) {
    const eventTypeIds = await requireEventTypeIds(client(), names, signal);
    await client().endpoints.subscribe(id, { eventTypeIds, ...given({ filter }) }, options);
  }
  await setPatterns();
  const isNamed = ({ eventTypeName }: Subscription) => names.includes(eventTypeName);
  for (const { eventTypeId } of before.filter(isNamed)) {
    await client().subscriptions.update(id, eventTypeId, { filter: filter ?? null }, options);
  }
  const ended = before.filter((one) => one.pattern === null && !isNamed(one));
  for (const { eventTypeId } of ended) await client().endpoints.unsubscribe(id, eventTypeId, options);
  // A pattern skips types that were unsubscribed, until the patterns are set again.
  if (ended.length > 0 && patterns.length > 0) await setPatterns();
}

export function isPattern(name: string): boolean {
  return name.endsWith('*');
}
