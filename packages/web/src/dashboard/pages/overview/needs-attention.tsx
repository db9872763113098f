import { Group, Paper, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { Delivery, Endpoint } from '../../../client/resources.ts';
import { EndpointState } from '../../../components/endpoint-state.tsx';
import { ErrorNotice } from '../../../components/error-notice.tsx';
import { TextLink } from '../../../components/links.tsx';
import { RelativeTime } from '../../../components/relative-time.tsx';
import { StatusGlyph } from '../../../components/status-glyph.tsx';
import { usePlace } from '../../place.ts';
import { endpointsQuery } from '../endpoints/endpoint-queries.ts';
import { deadLettersQuery, failingOf, urlOf } from './overview-queries.ts';

/** Endpoints that fail and dead letters, each with the way there; one line when there are none. */
export function NeedsAttention() {
  const place = usePlace();
  const endpoints = useQuery(endpointsQuery(place));
  const deadLetters = useQuery(deadLettersQuery(place));
  const error = endpoints.error ?? deadLetters.error;
  const failing = failingOf(endpoints.data ?? NO_ENDPOINTS);
  const letters = deadLetters.data?.deliveries ?? NO_LETTERS;
  const isLoaded = endpoints.data !== undefined && deadLetters.data !== undefined;
  return (
    <Paper component="section" withBorder p="md" bg="var(--surface-raised)" aria-label="Needs attention">
      <Title order={2} fz="md" fw={500} mb="sm" h={24}>
        Needs attention
      </Title>
      {error ? <ErrorNotice title="The list could not be loaded" error={error} /> : null}
      {isLoaded && failing.length + letters.length === 0 ? (
        <Text size="sm" c="dimmed">
          Nothing. Every endpoint answers, and no delivery ended as a dead letter.
        </Text>
      ) : null}
      <Stack gap="sm">
        {failing.map((endpoint) => (
          <FailingEndpoint key={endpoint.id} endpoint={endpoint} />
        ))}
        {letters.map((delivery) => (
          <DeadLetter key={delivery.id} delivery={delivery} url={urlOf(endpoints.data, delivery)} />
        ))}
      </Stack>
      {letters.length === 0 ? null : (
        <Text size="sm" mt="sm">
          <TextLink
            from="/w/$workspace/$environment"
            to="/w/$workspace/$environment/deliveries"
            search={{ status: 'dead_letter' }}
          >
            All dead letters
          </TextLink>
        </Text>
      )}
    </Paper>
  );
}

const NO_ENDPOINTS: readonly Endpoint[] = [];
const NO_LETTERS: readonly Delivery[] = [];

function FailingEndpoint({ endpoint }: { endpoint: Endpoint }) {
  return (
    <Group gap="sm" wrap="nowrap" fz="sm">
      <EndpointState endpoint={endpoint} />
      <TextLink
        className="mono"
        truncate="end"
        from="/w/$workspace/$environment"
        to="/w/$workspace/$environment/deliveries"
        search={{ endpoint: endpoint.id }}
      >
        {endpoint.url}
      </TextLink>
    </Group>
  );
}

function DeadLetter({ delivery, url }: { delivery: Delivery; url: string }) {
  return (
    <Group gap="sm" wrap="nowrap" fz="sm">
      <StatusGlyph status="dead_letter" size={11} />
      <TextLink
        from="/w/$workspace/$environment"
        to="/w/$workspace/$environment/deliveries/$deliveryId"
        params={{ deliveryId: delivery.id }}
      >
        {delivery.eventTypeName ?? 'direct'}
      </TextLink>
      <Text className="mono" truncate="end" c="dimmed" miw={0}>
        {url}
      </Text>
      <Text size="xs" c="dimmed" ml="auto" flex="none">
        <RelativeTime at={delivery.createdAt} />
      </Text>
    </Group>
  );
}
