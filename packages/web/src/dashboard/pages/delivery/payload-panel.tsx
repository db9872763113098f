import { Alert, Button, Group, Skeleton, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { DeliveryDetail, PayloadEnvelope } from '../../../client/resources.ts';
import { CodeBlock } from '../../../components/code-block.tsx';
import { ErrorNotice } from '../../../components/error-notice.tsx';
import { Id } from '../../../components/id.tsx';
import { JsonView } from '../../../components/json-view.tsx';
import { usePlace } from '../../place.ts';
import { payloadQuery } from '../deliveries/delivery-queries.ts';
import { payloadStateWords } from './payload-state.ts';

/** The body as it was ingested, or the reason why it is not shown. It is read when asked for. */
export function PayloadPanel({ delivery }: { delivery: DeliveryDetail }) {
  const [isShown, setShown] = useState(false);
  return (
    <Stack gap="sm" component="section">
      <Title order={2}>Payload</Title>
      {isShown ? (
        <Payload deliveryId={delivery.id} />
      ) : (
        <Group gap="sm">
          <Button variant="default" onClick={() => setShown(true)}>
            Show payload
          </Button>
          <Text size="xs" c="dimmed">
            Reading a payload is entered in the audit log.
          </Text>
        </Group>
      )}
    </Stack>
  );
}

function Payload({ deliveryId }: { deliveryId: string }) {
  const { workspace } = usePlace();
  const { data, error, refetch } = useQuery(payloadQuery(workspace.id, deliveryId));
  if (error)
    return <ErrorNotice title="The payload could not be loaded" error={error} onRetry={() => void refetch()} />;
  if (data?.payload === undefined) return <Skeleton height={120} />;
  return <Envelope payload={data.payload} />;
}

function Envelope({ payload }: { payload: PayloadEnvelope }) {
  if (payload.body === null) {
    return <Alert color="gray">{payloadStateWords(payload.status)}</Alert>;
  }
  return (
    <Stack gap="xs">
      <Group gap="md">
        <Text size="xs" c="dimmed">
          {payload.contentType} · {payload.size?.toLocaleString('en')} bytes
        </Text>
        {payload.sha256 === null ? null : (
          <Text component="div" size="xs" c="dimmed">
            SHA-256 <Id value={payload.sha256} />
          </Text>
        )}
      </Group>
      {payload.encoding === 'base64' ? (
        <CodeBlock text={payload.body} what="the payload as base64" />
      ) : (
        <JsonView body={payload.body} what="the payload" />
      )}
    </Stack>
  );
}
