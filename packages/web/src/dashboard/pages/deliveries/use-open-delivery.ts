import { useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { usePlace } from '../../place.ts';
import { deliveryQuery } from './delivery-queries.ts';

/** Opens the page of a row in a list of deliveries. The page is preloaded while the mouse rests on the row. */
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
