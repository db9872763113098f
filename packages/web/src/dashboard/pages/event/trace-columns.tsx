import type { TraceEntry } from '../../../client/resources.ts';
import { DeliveryStatusChip } from '../../../components/delivery-status-chip.tsx';
import { TextLink } from '../../../components/links.tsx';
import { RelativeTime } from '../../../components/relative-time.tsx';
import { RowLink } from '../../../components/row-link.tsx';
import type { Column } from '../../../components/table-columns.ts';
import { UrlText } from '../../../components/url-text.tsx';
import { useAddressOfUrl } from '../../customer-name.tsx';
import type { HrefOf } from '../../place.ts';

/** The columns for matched endpoints. The URL links to the delivery. */
export function traceColumns(hrefOf: HrefOf): Column<TraceEntry>[] {
  return [
    {
      id: 'status',
      header: 'Status',
      width: 'clamp(128px, 12vw, 156px)',
      cell: ({ delivery }) => (delivery === null ? '–' : <DeliveryStatusChip delivery={delivery} />),
    },
    {
      id: 'endpoint',
      header: 'Endpoint',
      width: 'minmax(120px, 2fr)',
      cell: (entry) => <EndpointCell entry={entry} hrefOf={hrefOf} />,
    },
    {
      id: 'attempts',
      header: 'Attempts',
      width: '60px',
      from: 'sm',
      isNumeric: true,
      cell: ({ delivery }) => delivery?.totalAttempts ?? '–',
    },
    {
      id: 'answer',
      header: 'Answer',
      width: '52px',
      from: 'sm',
      isNumeric: true,
      isMono: true,
      cell: ({ delivery }) => delivery?.lastResponseStatus ?? '–',
    },
    {
      id: 'next',
      header: 'Next attempt',
      width: '96px',
      from: 'sm',
      cell: ({ delivery }) =>
        delivery?.waitingFor ? (
          <WaitsFor id={delivery.waitingFor} />
        ) : (
          <RelativeTime at={delivery?.nextRetryAt ?? null} everyMs={1_000} />
        ),
    },
  ];
}

function EndpointCell({ entry: { endpointId, url, delivery }, hrefOf }: { entry: TraceEntry; hrefOf: HrefOf }) {
  const address = useAddressOfUrl(endpointId, url);
  const text = <UrlText url={address} wholeFrom="xl" />;
  if (delivery === null) return <span className="mono">{text}</span>;
  return (
    <RowLink href={hrefOf('deliveries', delivery.id)} title={address} isMono>
      {text}
    </RowLink>
  );
}

/** Names the delivery with the same ordering key that must end before this one is sent. */
function WaitsFor({ id }: { id: string }) {
  return (
    <TextLink
      title={`${id} is the first delivery of its ordering key. This one is sent when the first has ended.`}
      from="/w/$workspace/$environment"
      to="/w/$workspace/$environment/deliveries/$deliveryId"
      params={{ deliveryId: id }}
    >
      after …{id.slice(-6)}
    </TextLink>
  );
}
