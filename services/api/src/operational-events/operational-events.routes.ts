import { operationalEvent } from '@posthorn/contract/operational-events';
import { pageQuery } from '@posthorn/contract/primitives';
import { z } from 'zod';
import { route } from '../operation/route.ts';
import { listOperationalEvents } from './operational-events.ts';

export const operationalEventRoutes = [
  route({
    operationId: 'listOperationalEvents',
    method: 'get',
    path: '/operational-events',
    tag: 'Event types',
    summary: 'List operational events',
    description:
      'Returns the events about deliveries that Posthorn can send. To receive one, create an event type with its name, publish it, and subscribe an endpoint of the workspace to it.',
    scopes: ['read'],
    role: 'viewer',
    status: 200,
    errors: ['invalid_cursor'],
    links: true,
    query: pageQuery,
    response: z.array(operationalEvent),
    run: async (ctx, { query }) => listOperationalEvents(ctx, query),
  }),
];
