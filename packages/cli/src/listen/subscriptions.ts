import type { EndpointRead, Subscription } from '@posthorn/client';
import { given } from '../command.ts';
import type { Context } from '../context.ts';
import { CommandError, EXIT } from '../failure.ts';

/** Which events an endpoint gets. */
export type Choice = {
  /** Names and patterns of event types; undefined where none were named. */
  types: readonly string[] | undefined;
  filter: Record<string, unknown> | undefined;
};

/** Gives an endpoint that exists the types and the filter that were named. Without any it keeps its own. */
export async function changeSubscriptions(
  { client, environmentId, signal }: Context,
  { id }: EndpointRead,
  { types, filter }: Choice,
): Promise<void> {
  if (types === undefined && filter === undefined) return;
  const chosen = types ?? ['*'];
  const options = { environmentId: await environmentId(), signal };
  const patterns = chosen.filter(isPattern).map((pattern) => ({ pattern, filter: filter ?? null }));
  await client().endpoints.update(id, { eventTypePatterns: patterns }, options);
  const names = chosen.filter((one) => !isPattern(one));
  const own: Subscription[] = [];
  for await (const one of client().subscriptions.list(id, options)) if (one.pattern === null) own.push(one);
  for (const { eventTypeId, eventTypeName } of own) {
    if (names.includes(eventTypeName)) {
      await client().subscriptions.update(id, eventTypeId, { filter: filter ?? null }, options);
    } else await client().endpoints.unsubscribe(id, eventTypeId, options);
  }
  const missing = names.filter((name) => !own.some(({ eventTypeName }) => eventTypeName === name));
  if (missing.length === 0) return;
  const eventTypeIds = await findTypes(client(), missing, signal);
  await client().endpoints.subscribe(id, { eventTypeIds, ...given({ filter }) }, options);
}

export function isPattern(name: string): boolean {
  return name.endsWith('*');
}

async function findTypes(client: ReturnType<Context['client']>, names: readonly string[], signal: AbortSignal) {
  const ids = new Map<string, string>();
  for await (const { id, name } of client.eventTypes.list({ signal })) if (names.includes(name)) ids.set(name, id);
  return names.map((name) => {
    const id = ids.get(name);
    if (id !== undefined) return id;
    throw new CommandError({
      exitCode: EXIT.notFound,
      code: 'not_found',
      message: `There is no event type ${name}`,
      next: 'posthorn event-types list shows them',
    });
  });
}
