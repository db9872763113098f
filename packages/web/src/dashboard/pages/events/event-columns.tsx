import { Badge, Group } from '@mantine/core';
import type { Event } from '../../../client/resources.ts';
import { DeliveryCounts } from '../../../components/delivery-counts.tsx';
import { TextLink } from '../../../components/links.tsx';
import { RelativeTime } from '../../../components/relative-time.tsx';
import type { Column } from '../../../components/table-columns.ts';
import { EVENT_STATUS_WORDS } from './event-statuses.ts';

/** The columns of a list of events; `applications` has the names of those that are known. */
export function eventColumns(applications: ReadonlyMap<string, string>): Column<Event>[] {
  return [
    { id: 'type', header: 'Event type', width: 'minmax(120px, 2fr)', cell: (event) => <TypeLink event={event} /> },
    {
      id: 'deliveries',
      header: 'Deliveries',
      width: 'minmax(110px, 1fr)',
      cell: (event) => <Deliveries event={event} />,
    },
    {
      id: 'key',
      header: 'Idempotency key',
      width: 'minmax(140px, 2fr)',
      from: 'sm',
      cell: ({ id, idempotencyKey }) =>
        idempotencyKey === id ? <span className="soft">–</span> : <span className="mono">{idempotencyKey}</span>,
    },
    {
      id: 'application',
      header: 'Application',
      width: 'minmax(90px, 1fr)',
      from: 'md',
      cell: ({ applicationId: id }) =>
        id === null ? <span className="soft">–</span> : <span title={id}>{applications.get(id) ?? id}</span>,
    },
    { id: 'created', header: 'Accepted', width: '90px', cell: ({ createdAt }) => <RelativeTime at={createdAt} /> },
  ];
}

function TypeLink({ event: { id, eventTypeName, isTest } }: { event: Event }) {
  return (
    <Group gap={6} wrap="nowrap">
      <TextLink
        truncate="end"
        from="/w/$workspace/$environment"
        to="/w/$workspace/$environment/events/$eventId"
        params={{ eventId: id }}
        onClick={(click) => click.stopPropagation()}
      >
        {eventTypeName ?? 'direct'}
      </TextLink>
      {isTest ? (
        <Badge size="xs" color="gray" variant="light" tt="none">
          test
        </Badge>
      ) : null}
    </Group>
  );
}

/** The counts of a matched event; the status of another one. */
function Deliveries({ event: { status, deliveries } }: { event: Event }) {
  if (status === 'matched') return <DeliveryCounts counts={deliveries} />;
  return <span className="soft">{EVENT_STATUS_WORDS[status]}</span>;
}
