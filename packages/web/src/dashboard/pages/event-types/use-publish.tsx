import { useMutation, useQueryClient } from '@tanstack/react-query';
import { client } from '../../../client/api.ts';
import type { Environment, EventType, EventTypeVisibility } from '../../../client/resources.ts';
import { announceChange, announceFailure } from '../../../components/announce-change.tsx';
import { usePlace } from '../../place.ts';
import { visibilityQuery } from './event-type-queries.ts';

type Publication = { eventType: EventType; environment: Environment; published: boolean };

/** Publishes or unpublishes a type in an environment. The page changes at once; the notification can undo it. */
export function usePublish(): (publication: Publication) => void {
  const { workspace } = usePlace();
  const queryClient = useQueryClient();
  const show = ({ eventType, environment, published }: Publication) =>
    queryClient.setQueryData<EventTypeVisibility[]>(visibilityQuery(workspace.id, environment.id).queryKey, (before) =>
      before?.map((entry) => (entry.eventTypeId === eventType.id ? { ...entry, published } : entry)),
    );
  const { mutate } = useMutation({
    mutationFn: ({ eventType, environment, published }: Publication) =>
      client.PUT('/api/workspaces/{workspaceId}/environments/{environmentId}/event-types/{eventTypeId}/visibility', {
        params: { path: { workspaceId: workspace.id, environmentId: environment.id, eventTypeId: eventType.id } },
        body: { published },
      }),
    onMutate: async (publication) => {
      const { queryKey } = visibilityQuery(workspace.id, publication.environment.id);
      await queryClient.cancelQueries({ queryKey });
      show(publication);
    },
    onSuccess: (_answer, publication) => announce(publication, () => mutate(reversed(publication))),
    onError: (error, publication) => {
      show(reversed(publication));
      announceFailure(error);
    },
  });
  return mutate;
}

function announce({ eventType, environment, published }: Publication, undo: () => void): void {
  announceChange({
    id: `publish-${eventType.id}-${environment.id}`,
    words: `${eventType.name} is ${published ? 'published' : 'no longer published'} in ${environment.name}.`,
    undo,
  });
}

function reversed(publication: Publication): Publication {
  return { ...publication, published: !publication.published };
}
