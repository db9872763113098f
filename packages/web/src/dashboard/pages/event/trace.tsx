import { Alert, Button, Group, Stack, Text, Title } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { useMemo } from 'react';
import type { Event, TraceEntry } from '../../../client/resources.ts';
import { DataTable } from '../../../components/data-table.tsx';
import { ErrorNotice } from '../../../components/error-notice.tsx';
import { queryState } from '../../../components/table-state.tsx';
import { useHrefOf, usePlace } from '../../place.ts';
import { SkippedGroups } from '../../trace/skipped-groups.tsx';
import { WideMark } from '../../wide-event.tsx';
import { useTrace } from '../events/event-queries.ts';
import { traceColumns } from './trace-columns.tsx';

const route = getRouteApi('/w/$workspace/$environment/events/$eventId');

/** Shows for each endpoint of the environment why it got the event or did not. */
export function Trace({ event }: { event: Event }) {
  const { workspace } = usePlace();
  const trace = useTrace(workspace.id, event, 'matched');
  const [first] = trace.data?.pages ?? [];
  const isMatched = first !== undefined && first.fannedOutAt !== null;
  const note = isMatched || trace.error !== null ? undefined : UNMATCHED_WORDS[event.status];
  return (
    <Stack gap="md" component="section">
      <Stack gap={2}>
        <Group gap="sm">
          <Title order={2}>Trace</Title>
          <WideMark of={event} />
        </Group>
        <Text size="sm" c="dimmed">
          {first === undefined ? 'The endpoints of the environment as they were when the event was matched.' : null}
          {first === undefined || note !== undefined
            ? null
            : `${counted(first.matched, 'endpoint')} matched, ${first.skipped.toLocaleString('en')} skipped.`}
        </Text>
      </Stack>
      {note === undefined ? <Matched trace={trace} /> : <Alert>{note}</Alert>}
      {first && first.skipped > 0 ? <SkippedPart event={event} skipped={first.skipped} /> : null}
    </Stack>
  );
}

/** The text for an event that has not been matched with endpoints. */
const UNMATCHED_WORDS: Partial<Record<Event['status'], string>> = {
  matching: 'The event waits to be matched with the endpoints. They appear here within seconds.',
  scheduled: 'The endpoints are chosen when the time of the event has come: those that are subscribed then.',
  cancelled: 'The event was cancelled before its endpoints were chosen. None of them gets it.',
};

function Matched({ trace }: { trace: ReturnType<typeof useTrace> }) {
  const { workspace, environment } = usePlace();
  const navigate = route.useNavigate();
  const rows = useMemo(() => trace.data?.pages.flatMap((page) => page.endpoints), [trace.data]);
  const hrefOf = useHrefOf();
  const columns = useMemo(() => traceColumns(hrefOf), [hrefOf]);
  const open = ({ delivery }: TraceEntry) => {
    if (delivery === null) return;
    const params = { workspace: workspace.slug, environment: environment.slug, deliveryId: delivery.id };
    void navigate({ to: '/w/$workspace/$environment/deliveries/$deliveryId', params });
  };
  return (
    <DataTable
      label="Endpoints that got the event"
      columns={columns}
      rowId={({ endpointId }) => endpointId}
      onOpen={open}
      onEnd={() => trace.hasNextPage && void trace.fetchNextPage()}
      list={{
        rows,
        ...queryState(trace),
        firstUse: (
          <Text size="sm" ta="center">
            No endpoint got this event. If the environment had any, they are below with the reason.
          </Text>
        ),
      }}
    />
  );
}

function SkippedPart({ event, skipped }: { event: Event; skipped: number }) {
  const { workspace } = usePlace();
  const trace = useTrace(workspace.id, event, 'skipped');
  const entries = useMemo(() => trace.data?.pages.flatMap((page) => page.endpoints), [trace.data]);
  if (trace.error !== null && entries === undefined) {
    return (
      <ErrorNotice
        title="The skipped endpoints could not be loaded"
        error={trace.error}
        onRetry={() => void trace.refetch()}
      />
    );
  }
  if (entries === undefined) return null;
  return (
    <Stack gap="sm">
      <Title order={3}>Skipped</Title>
      <SkippedGroups entries={entries} eventTypeName={event.eventTypeName} isPartial={trace.hasNextPage} />
      {trace.hasNextPage ? (
        <Group gap="sm">
          <Button variant="default" loading={trace.isFetchingNextPage} onClick={() => void trace.fetchNextPage()}>
            Load more
          </Button>
          <Text size="xs" c="dimmed">
            {entries.length.toLocaleString('en')} of {skipped.toLocaleString('en')} are counted.
          </Text>
        </Group>
      ) : null}
    </Stack>
  );
}

function counted(count: number, noun: string): string {
  return `${count.toLocaleString('en')} ${count === 1 ? noun : `${noun}s`}`;
}
