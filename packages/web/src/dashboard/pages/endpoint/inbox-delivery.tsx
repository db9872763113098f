import { Group, Skeleton, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { client } from '../../../client/api.ts';
import type { Attempt, Delivery, Endpoint } from '../../../client/resources.ts';
import { bytesOfBase64 } from '../../../client/webhook-signature.ts';
import { DurationText } from '../../../components/duration-text.tsx';
import { ErrorNotice } from '../../../components/error-notice.tsx';
import { HeaderTable } from '../../../components/header-table.tsx';
import { Id } from '../../../components/id.tsx';
import { JsonView } from '../../../components/json-view.tsx';
import { TextLink } from '../../../components/links.tsx';
import { RelativeTime } from '../../../components/relative-time.tsx';
import { StatusGlyph } from '../../../components/status-glyph.tsx';
import { usePlace } from '../../place.ts';
import { ATTEMPTS } from '../deliveries/delivery-queries.ts';
import { SignatureNote } from './signature-note.tsx';

const SHOWN = 20;

/** The requests of one delivery, newest first, each with its response. */
export function InboxDelivery({ delivery, endpoint }: { delivery: Delivery; endpoint: Endpoint }) {
  const attempts = useAttempts(delivery);
  if (attempts.error) {
    const retry = () => void attempts.refetch();
    return <ErrorNotice title="The requests could not be loaded" error={attempts.error} onRetry={retry} />;
  }
  if (attempts.data === undefined) return <Skeleton height={200} />;
  return (
    <Stack gap="lg" miw={0}>
      <Group gap="md" justify="space-between">
        <Id value={delivery.id} />
        <TextLink
          fz="sm"
          from="/w/$workspace/$environment"
          to="/w/$workspace/$environment/deliveries/$deliveryId"
          params={{ deliveryId: delivery.id }}
        >
          Open the delivery
        </TextLink>
      </Group>
      {attempts.data.length === 0 ? (
        <Text size="sm" c="dimmed">
          No attempt has arrived yet.
        </Text>
      ) : null}
      {attempts.data.toReversed().map((attempt) => (
        <Arrived key={attempt.id} attempt={attempt} secret={endpoint.secret} />
      ))}
    </Stack>
  );
}

/**
 * The newest attempts of a delivery, oldest first. They are only refetched when their number changes, because reading
 * their bodies adds an entry to the audit log.
 */
function useAttempts({ id, totalAttempts, status }: Delivery) {
  const { workspace } = usePlace();
  return useQuery({
    queryKey: [...ATTEMPTS, id, totalAttempts, status],
    queryFn: async (): Promise<Attempt[]> => {
      const params = { path: { workspaceId: workspace.id, id }, query: { limit: SHOWN } };
      const { data } = await client.GET('/api/workspaces/{workspaceId}/deliveries/{id}/attempts', { params });
      return data ?? [];
    },
    placeholderData: (before) => before,
    staleTime: Number.POSITIVE_INFINITY,
  });
}

function Arrived({ attempt, secret }: { attempt: Attempt; secret: string | null }) {
  const { number, outcome, responseStatus, errorMessage, requestBody } = attempt;
  const body = requestBody === null ? null : bytesOfBase64(requestBody);
  return (
    <Stack gap="xs" component="section" aria-label={`Attempt ${number}`} miw={0}>
      <Group gap="sm" align="center">
        <StatusGlyph status={outcome === 'success' ? 'delivered' : 'failed'} />
        <Title order={3}>Attempt {number}</Title>
        <Text component="div" size="sm" c="dimmed">
          answered {responseStatus ?? errorMessage ?? 'nothing'} · <RelativeTime at={attempt.startedAt} /> ·{' '}
          <DurationText ms={attempt.durationMs} />
        </Text>
      </Group>
      <SignatureNote headers={attempt.requestHeaders} body={body} secret={secret} />
      <HeaderTable headers={attempt.requestHeaders} />
      {body === null ? (
        <Text size="sm" c="dimmed">
          The body is not shown: your role may not see payloads, or it is gone.
        </Text>
      ) : (
        <JsonView body={new TextDecoder().decode(body)} what="the body" />
      )}
    </Stack>
  );
}
