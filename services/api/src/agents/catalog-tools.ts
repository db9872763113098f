import { endpointRead } from '@posthorn/contract/endpoints';
import { eventType } from '@posthorn/contract/event-types';
import { fromId, toId } from '@posthorn/contract/ids';
import { ownPortalSession } from '@posthorn/contract/portal-sessions';
import { z } from 'zod';
import { invalid } from '../transport/error.ts';
import { type Answer, beginningOf, bytesOfUntrusted, clip } from './answer.ts';
import * as args from './arguments.ts';
import type { Caller } from './ask.ts';
import { findEventType } from './find-event-type.ts';
import { tool } from './tool.ts';

const describeInput = z.strictObject({
  event_type: args.eventTypeName,
  cursor: args.cursor.describe('The next_cursor of the previous response, for the rest of the schema and the example.'),
});

/**
 * The characters and bytes of the schema and the example that one answer shows. The first answer shows fewer bytes,
 * because it has other parts, too.
 */
const PART = 2_000;
const PART_BYTES = 5_000;
const FIRST_PART_BYTES = 2_400;
const DESCRIPTION_CHARACTERS = 300;
/** How many subscribers and environments the first answer shows, and how much of each name. */
const SHOWN = 5;
const NAME_CHARACTERS = 60;

export const catalogTools = [
  tool({
    name: 'describe_event_type',
    title: 'Describe an event type',
    description:
      'Shows the description of an event type, its JSON Schema and example, where it is published, and the endpoints that subscribe to it.',
    needs: ['getEventType'],
    portalNeeds: ['getPortalCatalogEventType'],
    input: describeInput,
    run: describeEventType,
  }),
];

async function describeEventType(caller: Caller, given: z.output<typeof describeInput>): Promise<Answer> {
  const id = await findEventType(caller, given.event_type);
  const { answer: type } = caller.isPortal
    ? await caller.ask('getPortalCatalogEventType', eventType, { params: { eventTypeId: id } })
    : await caller.ask('getEventType', eventType, { params: { id } });
  const from = given.cursor === undefined ? 0 : Number(given.cursor);
  const whole = JSON.stringify({ schema: type.schema, example: type.example }, null, 1);
  if (!Number.isInteger(from) || from < 0 || from >= whole.length)
    throw invalid('cursor does not belong to this answer', 'cursor');
  const isFirst = from === 0;
  const part = beginningOf(whole.slice(from, from + PART), isFirst ? FIRST_PART_BYTES : PART_BYTES, bytesOfUntrusted);
  const environments = isFirst ? await publishedIn(caller, id) : [];
  const { endpoints, hasMore } = isFirst ? await subscribersOf(caller, id) : { endpoints: [], hasMore: false };
  const next = from + part.length;
  const nextCursor = next < whole.length ? String(next) : null;
  const published = environments.map(({ id: environmentId }) => environmentId);
  const subscribers = endpoints.map(({ id: endpointId }) => endpointId);
  const shown = environments.slice(0, SHOWN);
  return {
    lines: [
      `${type.name}. Its schema and example, from character ${from}, are below.`,
      type.schema === null ? 'It has no schema.' : `Its schema is version ${type.schemaVersion}.`,
      ...(isFirst
        ? [
            `It is published in ${published.length === 0 ? 'no environment' : published.join(', ')}.`,
            subscribers.length === 0
              ? 'No endpoint subscribes to it.'
              : `Endpoints that subscribe to it: ${subscribers.join(', ')}${hasMore ? ' and others' : ''}.`,
          ]
        : []),
    ],
    facts: {
      id: type.id,
      name: type.name,
      schema_version: type.schemaVersion,
      ...(isFirst && { published_in: published, subscribers, has_more_subscribers: hasMore }),
    },
    untrusted: {
      ...(isFirst && {
        description: clip(type.description ?? '', DESCRIPTION_CHARACTERS),
        environments: Object.fromEntries(shown.map((one) => [one.id, clip(one.name, NAME_CHARACTERS)])),
        targets: Object.fromEntries(endpoints.map((one) => [one.id, clip(one.target, NAME_CHARACTERS)])),
      }),
      schema_and_example: part,
    },
    nextCursor,
  };
}

/** The environments of the caller in which the type is published. */
async function publishedIn(caller: Caller, id: string): Promise<{ id: string; name: string }[]> {
  if (caller.isPortal) {
    const { environmentId, environmentName } = (await caller.ask('getPortalSelf', ownPortalSession)).answer;
    return [{ id: environmentId, name: environmentName }];
  }
  const ctx = caller.context();
  const rows = await ctx.db.environment.findMany({
    where: {
      workspaceId: ctx.workspace.id,
      deletedAt: null,
      published: { some: { eventTypeId: fromId('evt', id) ?? '' } },
      ...(ctx.bounds.environmentId !== undefined && { id: ctx.bounds.environmentId }),
    },
    select: { id: true, name: true },
  });
  return rows.map(({ id: environmentId, name }) => ({ id: toId('env', environmentId), name }));
}

async function subscribersOf(caller: Caller, id: string) {
  if (!caller.may('listEndpoints')) return { endpoints: [], hasMore: false };
  const { answer, nextCursor } = await caller.ask('listEndpoints', z.array(endpointRead), {
    query: { event_type_id: id, limit: SHOWN },
  });
  return {
    endpoints: answer.map(({ id: endpointId, target }) => ({ id: endpointId, target })),
    hasMore: nextCursor !== null,
  };
}
