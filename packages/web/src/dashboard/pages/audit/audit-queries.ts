import { keepPreviousData } from '@tanstack/react-query';
import { api } from '../../../client/api.ts';
import type { AuditSearch } from './audit-search.ts';

/** A page of the log, newest first. */
export const auditQuery = (workspaceId: string, { action, resource, actor, page = 1 }: AuditSearch) =>
  api.queryOptions(
    'get',
    '/api/workspaces/{workspaceId}/audit-logs',
    {
      params: {
        path: { workspaceId },
        query: {
          page,
          ...(action && { action }),
          ...(resource && { resource_type: resource }),
          ...(actor && { actor_type: actor }),
        },
      },
    },
    { placeholderData: keepPreviousData },
  );
