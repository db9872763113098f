import { catalogDocument, eventType } from '@posthorn/contract/event-types';
import { pageQuery } from '@posthorn/contract/primitives';
import { z } from 'zod';
import { route } from '../operation/route.ts';
import { describeCatalog, getCatalogEventType, listCatalog } from './catalog.ts';

const shared = { tag: 'Catalogue', method: 'get', scopes: ['read'], role: 'viewer', status: 200 } as const;

// The portal has rows of its own for these: its environment is that of the session.
export const catalogRoutes = [
  route({
    ...shared,
    operationId: 'listCatalog',
    path: '/environments/{environmentId}/catalog',
    summary: 'List the event types of a catalogue',
    description:
      'Returns the event types that are published in the environment, with schema and example, oldest first.',
    errors: ['not_found', 'invalid_cursor'],
    links: true,
    query: pageQuery,
    response: z.array(eventType),
    run: (ctx, { params, query }) => listCatalog(ctx, params.environmentId, query),
  }),
  route({
    ...shared,
    operationId: 'getCatalogEventType',
    path: '/environments/{environmentId}/catalog/{eventTypeId}',
    summary: 'Get an event type of a catalogue',
    description: 'Returns an event type that is published in the environment. Any other event type is `not_found`.',
    errors: ['not_found'],
    response: eventType,
    run: (ctx, { params }) => getCatalogEventType(ctx, params.environmentId, params.eventTypeId),
  }),
  route({
    ...shared,
    operationId: 'getCatalogDocument',
    path: '/environments/{environmentId}/catalog/openapi.json',
    summary: 'Get a catalogue as an OpenAPI document',
    description:
      'Returns an OpenAPI 3.1 document for the engineers who receive the events. It has a webhook for each published event type, with its schema, example, headers and signature.',
    isLargeRead: true,
    errors: ['not_found', 'limit_reached'],
    response: catalogDocument,
    run: (ctx, { params }) => describeCatalog(ctx, params.environmentId),
  }),
];
