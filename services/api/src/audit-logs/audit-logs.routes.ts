import { auditLogsPage, listAuditLogsQuery } from '@posthorn/contract/audit-logs';
import { route } from '../operation/route.ts';
import { listAuditLogs } from './audit-logs.ts';

export const auditLogRoutes = [
  route({
    operationId: 'listAuditLogs',
    method: 'get',
    // The log has entries of every environment.
    inEnvironment: false,
    path: '/audit-logs',
    tag: 'Audit logs',
    summary: 'List audit log entries',
    description:
      'Returns entries newest first, 50 per page. Entries are kept for 365 days. `from` is inclusive, `to` exclusive.',
    scopes: ['read'],
    role: 'viewer',
    status: 200,
    isLargeRead: true,
    mayLag: true,
    query: listAuditLogsQuery,
    response: auditLogsPage,
    run: (ctx, { query }) => listAuditLogs(ctx, query),
  }),
];
