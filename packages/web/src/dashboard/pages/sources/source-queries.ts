import { api } from '../../../client/api.ts';
import type { Place } from '../../place.ts';

export const sourcesQuery = ({ workspace, environment }: Place) =>
  api.queryOptions('get', '/api/workspaces/{workspaceId}/sources', {
    params: { path: { workspaceId: workspace.id }, query: { environment_id: environment.id, limit: 100 } },
  });

export const rejectionsQuery = ({ workspace }: Place, id: string) =>
  api.queryOptions('get', '/api/workspaces/{workspaceId}/sources/{id}/rejections', {
    params: { path: { workspaceId: workspace.id, id }, query: { limit: 100 } },
  });
