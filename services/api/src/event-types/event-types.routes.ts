import { setVisibilityBody, visibilityEntry } from '@posthorn/contract/environments';
import { createEventTypeBody, eventType } from '@posthorn/contract/event-types';
import { z } from 'zod';
import { route } from '../http/route.ts';
import { createEventType, listEventTypes } from './event-types.ts';
import { listVisibility, setVisibility } from './visibility.ts';

export const eventTypeRoutes = [
  route({
    operationId: 'listEventTypes',
    method: 'get',
    path: '/event-types',
    tag: 'Event types',
    summary: 'List event types',
    description: 'All event types of the workspace, oldest first.',
    scopes: ['read'],
    role: 'viewer',
    status: 200,
    response: z.array(eventType),
    run: (ctx) => listEventTypes(ctx),
  }),
  route({
    operationId: 'createEventType',
    method: 'post',
    path: '/event-types',
    tag: 'Event types',
    summary: 'Create an event type',
    description:
      'Names are dot-notation in lower case and cannot be changed. A new type is published nowhere but in the environments of `publishIn`.',
    scopes: ['write'],
    role: 'member',
    status: 201,
    errors: ['event_type_exists', 'limit_reached', 'not_found'],
    body: createEventTypeBody,
    response: eventType,
    run: (ctx, { body }) => createEventType(ctx, body),
  }),
  route({
    operationId: 'listEventTypeVisibility',
    method: 'get',
    path: '/environments/{environmentId}/event-types',
    tag: 'Event types',
    summary: 'List what is published in an environment',
    description: 'Every event type of the workspace, and whether it is published in this environment.',
    scopes: ['read'],
    role: 'viewer',
    status: 200,
    errors: ['not_found'],
    response: z.array(visibilityEntry),
    run: (ctx, { params }) => listVisibility(ctx, params.environmentId),
  }),
  route({
    operationId: 'setEventTypeVisibility',
    method: 'put',
    path: '/environments/{environmentId}/event-types/{eventTypeId}/visibility',
    tag: 'Event types',
    summary: 'Publish or unpublish an event type in an environment',
    description: 'Takes hold within a second. Repeating it is harmless.',
    scopes: ['write'],
    role: 'member',
    status: 200,
    errors: ['not_found'],
    body: setVisibilityBody,
    response: visibilityEntry,
    run: (ctx, { params, body }) => setVisibility(ctx, { ...params, ...body }),
  }),
];
