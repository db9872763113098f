import { useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { usePlace } from '../../place.ts';
import { eventQuery } from './event-queries.ts';

/** How the rows of the list of events open their pages, which are prepared while the mouse rests on a row. */
export function useOpenEvent() {
  const { workspace, environment } = usePlace();
  const router = useRouter();
  const queryClient = useQueryClient();
  const pageOf = (eventId: string) =>
    ({
      to: '/w/$workspace/$environment/events/$eventId',
      params: { workspace: workspace.slug, environment: environment.slug, eventId },
    }) as const;
  return {
    onOpen: ({ id }: { id: string }) => void router.navigate(pageOf(id)),
    onPoint: ({ id }: { id: string }) => {
      void router.preloadRoute(pageOf(id));
      void queryClient.prefetchQuery(eventQuery(workspace.id, id));
    },
  };
}
