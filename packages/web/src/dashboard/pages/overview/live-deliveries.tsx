import { useQuery } from '@tanstack/react-query';
import { useCallback } from 'react';
import { TextLink } from '../../../components/links.tsx';
import { LiveTail } from '../../../components/live/live-tail.tsx';
import { type LiveHandlers, readDelivery } from '../../../components/live/use-live-rows.ts';
import { usePlace } from '../../place.ts';
import { newestQuery } from './overview-queries.ts';

/** The newest deliveries of the environment as they happen. */
export function LiveDeliveries() {
  const place = usePlace();
  const newest = useQuery(newestQuery(place));
  const workspaceId = place.workspace.id;
  const environmentId = place.environment.id;
  const watch = useCallback(
    ({ onState, onDelivery, onGap }: LiveHandlers) => {
      const source = new EventSource(`/api/workspaces/${workspaceId}/live?environment_id=${environmentId}`);
      source.onopen = () => onState(true);
      source.onerror = () => onState(false);
      source.addEventListener('delivery', ({ data }) => onDelivery(readDelivery(data)));
      source.addEventListener('gap', onGap);
      return () => source.close();
    },
    [workspaceId, environmentId],
  );
  return (
    <LiveTail
      label="Live deliveries"
      newest={newest}
      watch={watch}
      empty="Deliveries appear here as they happen."
      link={({ id, eventTypeName }) => (
        <TextLink
          truncate="end"
          from="/w/$workspace/$environment"
          to="/w/$workspace/$environment/deliveries/$deliveryId"
          params={{ deliveryId: id }}
        >
          {eventTypeName ?? 'direct'}
        </TextLink>
      )}
    />
  );
}
