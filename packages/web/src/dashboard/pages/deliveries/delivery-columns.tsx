import type { Delivery } from '../../../client/resources.ts';
import { answerColumn, attemptsColumn, statusColumn } from '../../../components/delivery-columns.tsx';
import { RelativeTime } from '../../../components/relative-time.tsx';
import { RowLink } from '../../../components/row-link.tsx';
import type { Column } from '../../../components/table-columns.ts';
import { Marked } from '../../../components/test-mark.tsx';
import { UrlText } from '../../../components/url-text.tsx';
import { CustomerOfEndpointCell, type Known, useEndpointAddress } from '../../customer-name.tsx';
import type { HrefOf } from '../../place.ts';
import { typeName } from '../../type-name.tsx';

/** The columns of a list of deliveries. */
export function deliveryColumns(hrefOf: HrefOf, known: Known): Column<Delivery>[] {
  return [
    statusColumn,
    {
      id: 'type',
      header: 'Event type',
      width: 'minmax(96px, 1fr)',
      cell: (delivery) => (
        <Marked of={delivery}>
          <RowLink href={hrefOf('deliveries', delivery.id)}>{typeName(delivery)}</RowLink>
        </Marked>
      ),
    },
    {
      id: 'endpoint',
      header: 'Endpoint',
      width: 'minmax(180px, 2fr)',
      from: 'sm',
      isMono: true,
      cell: ({ endpointId }) => <EndpointUrl id={endpointId} known={known} />,
    },
    {
      id: 'customer',
      header: 'Customer',
      width: 'minmax(90px, 1fr)',
      from: 'sm',
      cell: ({ endpointId }) => <CustomerOfEndpointCell {...{ endpointId, hrefOf, known }} />,
    },
    attemptsColumn,
    answerColumn,
    { id: 'created', header: 'Accepted', width: '78px', cell: ({ createdAt }) => <RelativeTime at={createdAt} /> },
  ];
}

function EndpointUrl({ id, known }: { id: string; known: Known }) {
  return <UrlText url={useEndpointAddress(id, known)} />;
}
