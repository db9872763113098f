import { Button, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import type { Endpoint } from '../../../client/resources.ts';
import { addressOf } from '../../../components/destination/address-of.ts';
import { EndpointMark } from '../../../components/endpoint-mark.tsx';
import { disabledReasonWords } from '../../../components/endpoint-state.ts';
import { ErrorNotice } from '../../../components/error-notice.tsx';
import { TextLink } from '../../../components/links.tsx';
import { StatusGlyph } from '../../../components/status-glyph.tsx';
import { UrlText } from '../../../components/url-text.tsx';
import { usePlace } from '../../place.ts';
import { mayChange } from '../../role.ts';
import { endpointsQuery } from '../endpoints/endpoint-queries.ts';
import {
  endpointTotalsQuery,
  failedShare,
  failingEndpoints,
  TOTALS_EVERY_MS,
  totalsById,
} from '../endpoints/endpoint-totals.ts';
import { type AttentionRow, attentionRows, lettersOf } from './attention-rows.ts';
import { dayTotalsQuery } from './overview-queries.ts';

// Lazy, because the form would otherwise be part of the first page's scripts.
const RecoverSheet = lazy(async () => ({
  default: (await import('../../recover/recover-sheet.tsx')).RecoverSheet,
}));

/** Endpoints that fail or have dead letters, each with a remedy. One line if there are none. */
export function NeedsAttention() {
  const place = usePlace();
  const endpoints = useQuery({ ...endpointsQuery(place), refetchInterval: TOTALS_EVERY_MS });
  const stats = useQuery(endpointTotalsQuery(place));
  const all = useQuery(dayTotalsQuery(place));
  const [recovering, setRecovering] = useState<Endpoint | null>(null);
  const error = endpoints.error ?? stats.error ?? all.error;
  const readAgain = () => {
    for (const { refetch } of [endpoints, stats, all]) void refetch();
  };
  const rows = attentionRows(endpoints.data ?? NO_ENDPOINTS, totalsById(stats.data));
  const deadLetters = all.data?.totals?.deadLettered ?? 0;
  const isLoaded = endpoints.data !== undefined && stats.data !== undefined && all.data !== undefined;
  const listed = rows.reduce((sum, row) => sum + lettersOf(row), 0);
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
      {error ? <ErrorNotice title="The list could not be loaded" error={error} onRetry={readAgain} /> : null}
      {isLoaded && rows.length === 0 && deadLetters === 0 ? (
        <Text size="sm" c="dimmed">
          Nothing. Every endpoint answers, and no delivery became a dead letter in the last 24 hours.
        </Text>
      ) : null}
      <Stack gap="md">
        {rows.map((row) => (
          <Row key={row.endpoint.id} row={row} onRecover={setRecovering} />
        ))}
        {isLoaded && deadLetters > listed ? (
          <AllLetters letters={deadLetters} isPart={failingEndpoints(stats.data).areOthersUnknown} />
        ) : null}
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
          <EndpointMark endpoint={endpoint} attempts={undefined} />
          <TextLink
            className="mono"
            truncate="end"
            title={addressOf(endpoint)}
            aria-label={addressOf(endpoint)}
            from="/w/$workspace/$environment"
            to="/w/$workspace/$environment/endpoints/$endpointId"
            params={{ endpointId: endpoint.id }}
          >
            <UrlText url={addressOf(endpoint)} />
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

/**
 * All dead letters. Some are not in the rows: their endpoints are not among the busiest, were deleted, or are too many
 * for the list. The difference is not shown, because the two counts are of different moments.
 */
function AllLetters({ letters, isPart }: { letters: number; isPart: boolean }) {
  const deliveries = letters === 1 ? 'delivery' : 'deliveries';
  return (
    <Group gap="md" fz="xs" c="dimmed">
      <DeadLettersLink
        letters={letters}
        words={`${deliveries} of all endpoints became ${lettersWords(letters)} in 24 h`}
      />
      {isPart ? <span>Only the 50 endpoints with the most attempts are counted one by one.</span> : null}
    </Group>
  );
}

function lettersWords(letters: number): string {
  return letters === 1 ? 'a dead letter' : 'dead letters';
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
        <DeadLettersLink letters={letters} of={endpoint.id} words={`became ${lettersWords(letters)} in 24 h`} />
      )}
    </Group>
  );
}

/** A number of dead letters, as a link to the list: those of one endpoint, or all. */
function DeadLettersLink({ letters, of, words }: { letters: number; of?: string; words: string }) {
  return (
    <TextLink
      from="/w/$workspace/$environment"
      to="/w/$workspace/$environment/deliveries"
      search={{ status: 'dead_letter', ...(of !== undefined && { endpoint: of }) }}
    >
      <Group component="span" gap={4} wrap="nowrap" display="inline-flex">
        <StatusGlyph status="dead_letter" size={10} />
        {letters.toLocaleString('en')} {words}
      </Group>
    </TextLink>
  );
}
