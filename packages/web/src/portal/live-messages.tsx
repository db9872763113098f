import { Text } from '@mantine/core';
import { useDocumentVisibility } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { LiveTail } from '../components/live/live-tail.tsx';
import { watchNothing } from '../components/live/use-live-rows.ts';
import { t } from '../language/language.ts';
import { watchPortal } from './live-stream.ts';
import { MessageName } from './message-name.tsx';
import { newestDeliveriesQuery } from './portal-queries.ts';
import { hrefOf } from './view.ts';

/** The newest messages to an endpoint as they happen. A page that is not visible holds no stream open. */
export function LiveMessages({ endpointId }: { endpointId: string }) {
  const newest = useQuery(newestDeliveriesQuery(endpointId));
  const isSeen = useDocumentVisibility() === 'visible';
  const watch = useMemo(() => watchPortal(endpointId), [endpointId]);
  return (
    <LiveTail
      label={t('Live messages')}
      newest={newest}
      watch={isSeen ? watch : watchNothing}
      empty={t('Messages appear here as they are sent.')}
      link={(delivery) => (
        <Text span inherit truncate="end">
          <MessageName href={hrefOf('deliveries', delivery.id)} of={delivery} />
        </Text>
      )}
    />
  );
}
