import { Text } from '@mantine/core';
import { useDocumentVisibility } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { addressOf } from '../../../components/destination/address-of.ts';
import { TextLink } from '../../../components/links.tsx';
import { LiveTail } from '../../../components/live/live-tail.tsx';
import { readDelivery, type Watch, watchNothing } from '../../../components/live/use-live-rows.ts';
import { TestMark } from '../../../components/test-mark.tsx';
import { UrlText } from '../../../components/url-text.tsx';
import { CustomerOfEndpoint, useEndpoint } from '../../customer-name.tsx';
import { usePlace } from '../../place.ts';
import { typeName } from '../../type-name.tsx';
import { newestQuery } from './overview-queries.ts';

/**
 * The environment's newest deliveries as they happen. A page that is not visible holds no stream open: a workspace may
 * have 20 streams, and a browser six connections over HTTP/1.1.
 */
export function LiveDeliveries() {
  const place = usePlace();
  const newest = useQuery(newestQuery(place));
  const workspaceId = place.workspace.id;
  const environmentId = place.environment.id;
  const isSeen = useDocumentVisibility() === 'visible';
  const watch = useMemo(() => watchEnvironment(workspaceId, environmentId), [workspaceId, environmentId]);
  return (
    <LiveTail
      label="Live deliveries"
      newest={newest}
      watch={isSeen ? watch : watchNothing}
      empty="Deliveries appear here as they happen."
      link={(delivery) => (
        <>
          <TextLink
            truncate="end"
            from="/w/$workspace/$environment"
            to="/w/$workspace/$environment/deliveries/$deliveryId"
            params={{ deliveryId: delivery.id }}
          >
            {typeName(delivery)}
          </TextLink>
          <TestMark of={delivery} />
          <Receiver endpointId={delivery.endpointId} />
        </>
      )}
    />
  );
}

/** The endpoint of the delivery, and the customer to whom it belongs. */
function Receiver({ endpointId }: { endpointId: string }) {
  const endpoint = useEndpoint(endpointId);
  if (endpoint === undefined) return null;
  const address = addressOf(endpoint);
  return (
    <Text size="xs" c="dimmed" span miw={0} flex={1} display="flex" style={{ gap: 6, overflow: 'hidden' }}>
      <span className="mono" title={address} style={{ minWidth: 0 }}>
        <UrlText url={address} />
      </span>
      {endpoint.applicationId === null ? null : (
        <Text span inherit flex="none" visibleFrom="sm">
          <CustomerOfEndpoint endpointId={endpointId} />
        </Text>
      )}
    </Text>
  );
}

const AGAIN_MS = 10_000;

/**
 * The live view of an environment. The browser reopens a stream that broke off, but not one that was refused, for
 * example while the API starts. Each time the stream opens again, also by another call of the returned function, there
 * is a gap (docs/interface.md, Live view).
 */
function watchEnvironment(workspaceId: string, environmentId: string): Watch {
  let hasOpened = false;
  return ({ onState, onDelivery, onGap }) => {
    let source: EventSource | undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const open = () => {
      const opened = new EventSource(`/api/workspaces/${workspaceId}/live?environment_id=${environmentId}`);
      source = opened;
      opened.onopen = () => {
        onState(true);
        if (hasOpened) onGap();
        hasOpened = true;
      };
      opened.onerror = () => {
        onState(false);
        if (opened.readyState === EventSource.CLOSED) timer = setTimeout(open, AGAIN_MS);
      };
      opened.addEventListener('delivery', ({ data }) => onDelivery(readDelivery(data)));
      opened.addEventListener('gap', onGap);
    };
    open();
    return () => {
      clearTimeout(timer);
      source?.close();
    };
  };
}
