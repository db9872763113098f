import type { Event } from '../../../client/resources.ts';
import { DeliveryCounts } from '../../../components/delivery-counts.tsx';
import { RelativeTime } from '../../../components/relative-time.tsx';
import { RowLink } from '../../../components/row-link.tsx';
import type { Column } from '../../../components/table-columns.ts';
import { Marked } from '../../../components/test-mark.tsx';
import { CustomerCell, type Known } from '../../customer-name.tsx';
import type { HrefOf } from '../../place.ts';
import { typeName } from '../../type-name.tsx';
import { isWide, WideMark } from '../../wide-event.tsx';
import { EVENT_STATUS_WORDS } from './event-statuses.ts';

/** The columns of a list of events. */
export function eventColumns(hrefOf: HrefOf, known: Known): Column<Event>[] {
  return [
    {
      id: 'type',
      header: 'Event type',
      width: 'minmax(120px, 2fr)',
      cell: (event) => (
        <Marked of={event}>
          <RowLink href={hrefOf('events', event.id)}>{typeName(event)}</RowLink>
        </Marked>
      ),
    },
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
      id: 'customer',
      header: 'Customer',
      width: 'minmax(90px, 1fr)',
      from: 'sm',
      cell: (event) =>
        isWide(event) ? <WideMark of={event} /> : <CustomerCell {...{ id: event.applicationId, hrefOf, known }} />,
    },
    { id: 'created', header: 'Accepted', width: '90px', cell: ({ createdAt }) => <RelativeTime at={createdAt} /> },
  ];
}

/** The delivery counts of a matched event, or else the event's status. */
function Deliveries({ event: { status, deliveries } }: { event: Event }) {
  if (status === 'matched') return <DeliveryCounts counts={deliveries} />;
  return <span className="soft">{EVENT_STATUS_WORDS[status]}</span>;
}
