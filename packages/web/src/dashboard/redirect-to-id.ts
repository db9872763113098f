import type { QueryClient } from '@tanstack/react-query';
import { type AnyRedirect, notFound, redirect } from '@tanstack/react-router';
import { ApiError } from '../client/api-error.ts';
import { placeOfId } from './frame/place-of-id.ts';
import { deliveryQuery } from './pages/deliveries/delivery-queries.ts';
import { endpointQuery } from './pages/endpoints/endpoint-queries.ts';
import { eventQuery } from './pages/events/event-queries.ts';
import { workspacesQuery } from './place.ts';

/**
 * A redirect to the page of a delivery, an event or an endpoint, in its own environment. Throws `notFound` for an
 * unknown id. `workspace` is a slug or an id.
 */
export async function redirectToId(
  queryClient: QueryClient,
  { workspace, id }: { workspace: string; id: string },
): Promise<AnyRedirect> {
  const workspaces = await queryClient.ensureQueryData(workspacesQuery());
  const own = workspaces.find((one) => one.id === workspace || one.slug === workspace);
  const found = placeOfId(id);
  if (own === undefined) throw notFound();
  try {
    switch (found.kind) {
      case 'delivery': {
        const { eventId } = await queryClient.fetchQuery(deliveryQuery(own.id, found.id));
        const { environmentId } = await queryClient.fetchQuery(eventQuery(own.id, eventId));
        return redirect({
          to: '/w/$workspace/$environment/deliveries/$deliveryId',
          params: { workspace: own.slug, environment: environmentId, deliveryId: found.id },
        });
      }
      case 'event': {
        const { environmentId } = await queryClient.fetchQuery(eventQuery(own.id, found.id));
        return redirect({
          to: '/w/$workspace/$environment/events/$eventId',
          params: { workspace: own.slug, environment: environmentId, eventId: found.id },
        });
      }
      case 'endpoint': {
        const { environmentId } = await queryClient.fetchQuery(endpointQuery(own.id, found.id));
        return redirect({
          to: '/w/$workspace/$environment/endpoints/$endpointId',
          params: { workspace: own.slug, environment: environmentId, endpointId: found.id },
        });
      }
      default:
        throw notFound();
    }
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) throw notFound();
    throw error;
  }
}
