import type { Delivery } from '../../../client/resources.ts';
import { DeliveryStatusChip } from '../../../components/delivery-status-chip.tsx';
import { TextLink } from '../../../components/links.tsx';
import { RelativeTime } from '../../../components/relative-time.tsx';
import type { Column } from '../../../components/table-columns.ts';
import { UrlText } from '../../../components/url-text.tsx';

/** The columns of a list of deliveries; `urls` has the URLs of the endpoints that are known. */
export function deliveryColumns(urls: ReadonlyMap<string, string>): Column<Delivery>[] {
  return [
    {
      id: 'status',
      header: 'Status',
      width: 'clamp(124px, 12vw, 150px)',
      cell: (row) => <DeliveryStatusChip delivery={row} />,
    },
    {
      id: 'type',
      header: 'Event type',
      width: 'minmax(96px, 1fr)',
      cell: ({ id, eventTypeName }) => (
        <TextLink
          from="/w/$workspace/$environment"
          to="/w/$workspace/$environment/deliveries/$deliveryId"
          params={{ deliveryId: id }}
          onClick={(event) => event.stopPropagation()}
        >
          {eventTypeName ?? 'direct'}
        </TextLink>
      ),
    },
    {
      id: 'endpoint',
      header: 'Endpoint',
      width: 'minmax(180px, 2fr)',
      from: 'sm',
      cell: ({ endpointId }) => (
        <span className="mono">
          <UrlText url={urls.get(endpointId) ?? endpointId} />
        </span>
      ),
    },
    {
      id: 'attempts',
      header: 'Attempts',
      width: '72px',
      from: 'sm',
      isNumeric: true,
      cell: ({ totalAttempts }) => totalAttempts,
    },
    {
      id: 'answer',
      header: 'Answer',
      width: '64px',
      from: 'md',
      isNumeric: true,
      cell: ({ lastResponseStatus }) => <span className="mono">{lastResponseStatus ?? '–'}</span>,
    },
    { id: 'created', header: 'Accepted', width: '78px', cell: ({ createdAt }) => <RelativeTime at={createdAt} /> },
  ];
}
