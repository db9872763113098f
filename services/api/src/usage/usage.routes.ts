import { usagePage, usageQuery } from '@posthorn/contract/usage';
import { route } from '../operation/route.ts';
import { listUsage } from './usage.ts';
import { usageCsv } from './usage-csv.ts';

export const usageRoutes = [
  route({
    operationId: 'listUsage',
    method: 'get',
    path: '/usage',
    tag: 'Usage',
    summary: 'List usage by application',
    description:
      'Returns the events, deliveries, attempts and bytes of each application by day or month in UTC, for billing. Counts are exact and kept for 13 months. A day or month that is not over is `provisional`. `from` is rounded down and `to` up. With `Accept: text/csv`, returns the page as CSV.',
    scopes: ['read'],
    role: 'viewer',
    // A customer's usage has no environment.
    inEnvironment: false,
    status: 200,
    errors: ['not_found', 'invalid_cursor'],
    isLargeRead: true,
    query: usageQuery,
    response: usagePage,
    csv: usageCsv,
    run: (ctx, { query }) => listUsage(ctx, query),
  }),
];
