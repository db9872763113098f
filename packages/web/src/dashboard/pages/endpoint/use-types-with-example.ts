import { useQuery } from '@tanstack/react-query';
import { usePlace } from '../../place.ts';
import { subscriptionsQuery } from '../endpoints/endpoint-queries.ts';
import { eventTypesQuery } from '../event-types/event-type-queries.ts';

/** All event types of the workspace. Those that the endpoint subscribes to come first. */
export function useTypesWithExample(endpointId: string) {
  const { workspace } = usePlace();
  const { data: types } = useQuery(eventTypesQuery(workspace.id));
  const { data: subscriptions } = useQuery(subscriptionsQuery(workspace.id, endpointId));
  const subscribed = new Set(subscriptions?.map(({ eventTypeId }) => eventTypeId));
  const all = types ?? [];
  return {
    types: [...all.filter(({ id }) => subscribed.has(id)), ...all.filter(({ id }) => !subscribed.has(id))],
    subscriptions,
  };
}
