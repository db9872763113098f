import { liveMessage, liveQuery } from '@posthorn/contract/live';
import { route } from '../operation/route.ts';
import { openLive } from './live.ts';

export const liveRoutes = [
  route({
    operationId: 'streamChanges',
    method: 'get',
    path: '/live',
    tag: 'Statistics',
    summary: 'Watch deliveries and events live',
    description:
      'A stream of server-sent events: `delivery` with the item of the deliveries list whenever one changes, `event` when an event is accepted (not with `status`), `gap` with the number of changes that were dropped. It is a view: nothing is repeated after a reconnection. At most 20 streams a workspace, of them 10 of portals, and 2 of the portal of one application.',
    portalDescription:
      'A stream of server-sent events: `delivery` whenever a delivery changes, `event` when an event is accepted (not with `status`), `gap` with the number of changes that were dropped. It is a view: nothing is repeated after a reconnection.',
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
