import { liveMessage, liveQuery } from '@posthorn/contract/live';
import { route } from '../operation/route.ts';
import { openLive } from './live.ts';

export const liveRoutes = [
  route({
    operationId: 'streamChanges',
    method: 'get',
    path: '/live',
    tag: 'Statistics',
    summary: 'Stream deliveries and events',
    description:
      'Streams server-sent events: `delivery`, with the delivery as in the list, whenever one changes; `event` when an event is accepted (not with `status`); `gap` with the number of dropped changes. Nothing is repeated after a reconnection. A workspace can have at most 20 streams, of which at most 10 are from portals and 2 from the portal of one application.',
    portalDescription:
      'Streams server-sent events: `delivery` whenever a delivery changes; `event` when an event is accepted (not with `status`); `gap` with the number of dropped changes. Nothing is repeated after a reconnection.',
    scopes: ['read'],
    role: 'viewer',
    capability: 'deliveries:read',
    status: 200,
    errors: ['not_found', 'limit_reached'],
    streams: true,
    query: liveQuery,
    response: liveMessage,
    run: (ctx, { query }) => openLive(ctx, query),
  }),
];
