import { endpointRead } from '@posthorn/contract/endpoints';
import { eventType } from '@posthorn/contract/event-types';
import { fromId } from '@posthorn/contract/ids';
import { ownPortalSession } from '@posthorn/contract/portal-sessions';
import { z } from 'zod';
import { invalid } from '../transport/error.ts';
import { type Answer, beginningOf, clip } from './answer.ts';
import * as args from './arguments.ts';
import type { Caller } from './ask.ts';
import { findEventType } from './find-event-type.ts';
import { tool } from './tool.ts';

const describeInput = z.strictObject({
  event_type: args.eventTypeName,
  cursor: args.cursor.describe('next_cursor of the previous answer: the rest of the schema and the example.'),
});

/** How much of the schema and the example one answer shows. */
const PART = 2_000;
const PART_BYTES = 4_000;
const SUBSCRIBERS_SHOWN = 5;

export const catalogTools = [
  tool({
    name: 'describe_event_type',
    title: 'Describe an event type',
    description:
      'Shows what an event type means, its JSON Schema and example, where it is published, and endpoints that subscribe to it.',
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
  const bytesOf = (text: string) => Buffer.byteLength(JSON.stringify(text));
  const part = beginningOf(whole.slice(from, from + PART), PART_BYTES, bytesOf);
  const published = await publishedIn(caller, id);
  const subscribers = await subscribersOf(caller, id);
  const next = from + part.length;
  const nextCursor = next < whole.length ? String(next) : null;
  return {
    lines: [
      `${type.name}: ${clip(type.description ?? 'no description', 500)}`,
      `It is published in ${published.length === 0 ? 'no environment' : published.join(', ')}.`,
      subscribers.length === 0
        ? 'No endpoint subscribes to it.'
        : `Endpoints that subscribe to it: ${subscribers.join(', ')}.`,
      type.schema === null ? 'It has no schema.' : `Its schema is version ${type.schemaVersion}.`,
      part,
    ],
    facts: {
      id: type.id,
      name: type.name,
      schema_version: type.schemaVersion,
      published_in: published,
      subscribers,
      ...(nextCursor === null &&
        from === 0 &&
        whole.length < PART / 2 && { schema: type.schema, example: type.example }),
    },
    nextCursor,
  };
}

/** The environments of the caller in which the type is published, by name. */
async function publishedIn(caller: Caller, id: string): Promise<string[]> {
  if (caller.isPortal) return [(await caller.ask('getPortalSelf', ownPortalSession)).answer.environmentName];
  const ctx = caller.context();
  const rows = await ctx.db.environment.findMany({
    where: {
      workspaceId: ctx.workspace.id,
      deletedAt: null,
      published: { some: { eventTypeId: fromId('evt', id) ?? '' } },
      ...(ctx.bounds.environmentId !== undefined && { id: ctx.bounds.environmentId }),
    },
    select: { name: true },
  });
  return rows.map(({ name }) => name);
}

async function subscribersOf(caller: Caller, id: string): Promise<string[]> {
  if (!caller.may('listEndpoints')) return [];
  const { answer, nextCursor } = await caller.ask('listEndpoints', z.array(endpointRead), {
    query: { event_type_id: id, limit: SUBSCRIBERS_SHOWN },
  });
  return [
    ...answer.map((one) => `${one.id} (${clip(one.target, 80)})`),
    ...(nextCursor === null ? [] : ['and others']),
  ];
}
