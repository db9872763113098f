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
    summary: 'List the operational events',
    description:
      'What Posthorn can tell about deliveries, as events. To get one, create an event type of that name, publish it, and subscribe an endpoint of the workspace to it.',
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
