import { useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { usePlace } from '../../place.ts';
import { deliveryQuery } from './delivery-queries.ts';

/** How the rows of a list of deliveries open their pages, which are prepared while the mouse rests on a row. */
export function useOpenDelivery() {
  const { workspace, environment } = usePlace();
  const router = useRouter();
  const queryClient = useQueryClient();
  const pageOf = (deliveryId: string) =>
    ({
      to: '/w/$workspace/$environment/deliveries/$deliveryId',
      params: { workspace: workspace.slug, environment: environment.slug, deliveryId },
    }) as const;
  return {
    onOpen: ({ id }: { id: string }) => void router.navigate(pageOf(id)),
    onPoint: ({ id }: { id: string }) => {
      void router.preloadRoute(pageOf(id));
      void queryClient.prefetchQuery(deliveryQuery(workspace.id, id));
    },
  };
}
