import { stats, statsQuery } from '@posthorn/contract/stats';
import { route } from '../operation/route.ts';
import { getStats } from './stats.ts';

export const statsRoutes = [
  route({
    operationId: 'getStats',
    method: 'get',
    path: '/stats',
    tag: 'Statistics',
    summary: 'Get statistics',
    description:
      'Returns events, attempts and ended deliveries by `step`: a minute (at most 24 hours), an hour (at most 7 days) or a day. With `group_by`, returns the totals of the 50 largest groups instead. Data is at most 5 seconds old; tests are not counted.',
    scopes: ['read'],
    role: 'viewer',
    capability: 'deliveries:read',
    status: 200,
    errors: ['not_found'],
    isLargeRead: true,
    mayLag: true,
    query: statsQuery,
    response: stats,
    run: (ctx, { query }) => getStats(ctx, query),
  }),
];
