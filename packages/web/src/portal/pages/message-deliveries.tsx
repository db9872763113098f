import { EmptyState, Stack, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { Delivery, Event } from '../../client/resources.ts';
import { DataTable } from '../../components/data-table.tsx';
import { answerColumn, attemptsColumn, statusColumn } from '../../components/delivery-columns.tsx';
import { addressOf } from '../../components/destination/address-of.ts';
import { RelativeTime } from '../../components/relative-time.tsx';
import type { Column } from '../../components/table-columns.ts';
import { queryState } from '../../components/table-state.tsx';
import { UrlText } from '../../components/url-text.tsx';
import { t } from '../../language/language.ts';
import { whyNoDelivery } from '../no-delivery-words.ts';
import { PortalLink } from '../portal-link.tsx';
import { firstEndpointsQuery, useMessageDeliveries } from '../portal-queries.ts';
import { useMay } from '../session.ts';
import { go, hrefOf } from '../view.ts';

/** The deliveries of a message to the customer's endpoints, or the reason why there are none. */
export function MessageDeliveries({ message }: { message: Event }) {
  const list = useMessageDeliveries(message);
  const { data: endpoints } = useQuery({ ...firstEndpointsQuery(), enabled: useMay('endpoints:read') });
  const rows = useMemo(() => list.data?.pages.flatMap((page) => page.deliveries), [list.data]);
  const columns = useMemo(
    () => columnsOf(new Map(endpoints?.map((endpoint) => [endpoint.id, addressOf(endpoint)]))),
    [endpoints],
  );
  return (
    <Stack gap="sm" component="section" aria-label={t('Your endpoints')}>
      <Title order={2}>{t('Your endpoints')}</Title>
      <DataTable
        label={t('Your endpoints that get the message')}
        columns={columns}
        rowId={(row) => row.id}
        onOpen={(row) => go(hrefOf('deliveries', row.id))}
        onEnd={() => list.hasNextPage && void list.fetchNextPage()}
        list={{
          rows,
          ...queryState(list),
          firstUse: <EmptyState size="sm" {...whyNoDelivery(message)} />,
        }}
      />
    </Stack>
  );
}

/** `addresses` has the addresses of the known endpoints, by id. */
function columnsOf(addresses: ReadonlyMap<string, string>): Column<Delivery>[] {
  return [
    statusColumn,
    {
      id: 'endpoint',
      header: t('Endpoint'),
      width: 'minmax(120px, 2fr)',
      cell: ({ id, endpointId }) => (
        <PortalLink mono href={hrefOf('deliveries', id)} title={addresses.get(endpointId) ?? endpointId}>
          <UrlText url={addresses.get(endpointId) ?? endpointId} />
        </PortalLink>
      ),
    },
    attemptsColumn,
    answerColumn,
    {
      id: 'next',
      header: t('Next attempt'),
      width: '96px',
      from: 'md',
      cell: ({ nextRetryAt }) => <RelativeTime at={nextRetryAt} everyMs={1_000} />,
    },
  ];
}
