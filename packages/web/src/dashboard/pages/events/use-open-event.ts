import { useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { usePlace } from '../../place.ts';
import { eventQuery } from './event-queries.ts';

/** Opens the page of a row in the list of events. The page is preloaded while the mouse rests on the row. */
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
