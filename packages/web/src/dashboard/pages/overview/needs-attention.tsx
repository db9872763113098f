import { Button, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import type { Endpoint } from '../../../client/resources.ts';
import { disabledReasonWords, EndpointState } from '../../../components/endpoint-state.tsx';
import { ErrorNotice } from '../../../components/error-notice.tsx';
import { TextLink } from '../../../components/links.tsx';
import { StatusGlyph } from '../../../components/status-glyph.tsx';
import { UrlText } from '../../../components/url-text.tsx';
import { usePlace } from '../../place.ts';
import { mayChange } from '../../role.ts';
import { endpointsQuery } from '../endpoints/endpoint-queries.ts';
import { attentionCounts, endpointTotalsQuery, failedShare, totalsById } from '../endpoints/endpoint-totals.ts';
import { type AttentionRow, attentionRows } from './attention-rows.ts';

// Its form would be a part of the first page's scripts.
const RecoverSheet = lazy(async () => ({
  default: (await import('../../recover/recover-sheet.tsx')).RecoverSheet,
}));

/** Endpoints that fail or have dead letters, each with the way out; one line when there are none. */
export function NeedsAttention() {
  const place = usePlace();
  const endpoints = useQuery(endpointsQuery(place));
  const stats = useQuery(endpointTotalsQuery(place));
  const [recovering, setRecovering] = useState<Endpoint | null>(null);
  const error = endpoints.error ?? stats.error;
  const rows = attentionRows(endpoints.data ?? NO_ENDPOINTS, totalsById(stats.data));
  const { deadLetters } = attentionCounts(stats.data);
  const isLoaded = endpoints.data !== undefined && stats.data !== undefined;
  return (
    <Paper component="section" withBorder p="md" bg="var(--surface-raised)" aria-label="Needs attention">
      <Group justify="space-between" mb="sm" h={24}>
        <Title order={2} fz="md" fw={500}>
          Needs attention
        </Title>
        {deadLetters === 0 ? null : (
          <TextLink
            fz="xs"
            from="/w/$workspace/$environment"
            to="/w/$workspace/$environment/deliveries"
            search={{ status: 'dead_letter' }}
          >
            All dead letters
          </TextLink>
        )}
      </Group>
      {error ? <ErrorNotice title="The list could not be loaded" error={error} /> : null}
      {isLoaded && rows.length === 0 ? (
        <Text size="sm" c="dimmed">
          Nothing. Every endpoint answers, and no delivery became a dead letter in the last 24 hours.
        </Text>
      ) : null}
      <Stack gap="md">
        {rows.map((row) => (
          <Row key={row.endpoint.id} row={row} onRecover={setRecovering} />
        ))}
      </Stack>
      {recovering === null ? null : (
        <Suspense fallback={null}>
          <RecoverSheet endpoint={recovering} onClose={() => setRecovering(null)} />
        </Suspense>
      )}
    </Paper>
  );
}

const NO_ENDPOINTS: readonly Endpoint[] = [];

function Row({ row, onRecover }: { row: AttentionRow; onRecover: (endpoint: Endpoint) => void }) {
  const { endpoint, totals } = row;
  const place = usePlace();
  const canRecover = mayChange(place) && endpoint.isActive && totals !== undefined && totals.deadLettered > 0;
  return (
    <Group gap="sm" wrap="nowrap" align="flex-start">
      <Stack gap={2} miw={0} flex={1} fz="sm">
        <Group gap="sm" wrap="nowrap">
          <EndpointState endpoint={endpoint} />
          <TextLink
            className="mono"
            truncate="end"
            title={endpoint.url}
            from="/w/$workspace/$environment"
            to="/w/$workspace/$environment/endpoints/$endpointId"
            params={{ endpointId: endpoint.id }}
          >
            <UrlText url={endpoint.url} />
          </TextLink>
        </Group>
        <Reason row={row} />
      </Stack>
      {canRecover ? (
        <Button variant="default" size="compact-xs" flex="none" onClick={() => onRecover(endpoint)}>
          Recover …
        </Button>
      ) : null}
    </Group>
  );
}

/** Why the endpoint is in the list. */
function Reason({ row: { endpoint, totals } }: { row: AttentionRow }) {
  const letters = totals?.deadLettered ?? 0;
  return (
    <Group gap="md" fz="xs" c="dimmed">
      {endpoint.isActive ? null : disabledReasonWords(endpoint)}
      {totals === undefined || totals.failed === 0 ? null : (
        <span>
          {failedShare(totals)} of {totals.attempts.toLocaleString('en')}{' '}
          {totals.attempts === 1 ? 'attempt' : 'attempts'} failed in 24 h
        </span>
      )}
      {letters === 0 ? null : (
        <TextLink
          from="/w/$workspace/$environment"
          to="/w/$workspace/$environment/deliveries"
          search={{ status: 'dead_letter', endpoint: endpoint.id }}
        >
          <Group component="span" gap={4} wrap="nowrap" display="inline-flex">
            <StatusGlyph status="dead_letter" size={10} />
            {letters.toLocaleString('en')} became {letters === 1 ? 'a dead letter' : 'dead letters'} in 24 h
          </Group>
        </TextLink>
      )}
    </Group>
  );
}
