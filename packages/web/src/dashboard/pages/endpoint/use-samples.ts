import { useQuery, useQueryClient } from '@tanstack/react-query';
import { api } from '../../../client/api.ts';
import { exampleText } from '../../../components/sample/example-text.ts';
import type { Samples } from '../../../components/sample/samples.ts';
import { usePlace } from '../../place.ts';
import { DASHBOARD_TEXTS } from '../../reader-texts.ts';
import { mayChange } from '../../role.ts';
import { eventPayloadQuery } from '../events/event-queries.ts';

const RECENT = 10;

/** The example of an event type, and the payloads of its newest events in the environment. */
export function useSamples(type: { name: string; example: unknown } | undefined): Samples {
  const place = usePlace();
  const { workspace, environment } = place;
  const queryClient = useQueryClient();
  const query = { environment_id: environment.id, event_type: type?.name ?? '', limit: RECENT };
  const { data } = useQuery({
    ...api.queryOptions('get', '/api/workspaces/{workspaceId}/events', {
      params: { path: { workspaceId: workspace.id }, query },
    }),
    // Viewers may not read payloads.
    enabled: type !== undefined && mayChange(place),
  });
  return {
    example: exampleText(type),
    recent: data?.events.filter(({ hasPayload }) => hasPayload) ?? [],
    read: (eventId) => queryClient.fetchQuery(eventPayloadQuery(workspace.id, eventId)),
    texts: DASHBOARD_TEXTS,
  };
}
