import { Button, EmptyState } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { lazy, Suspense, useMemo, useState } from 'react';
import { DataTable } from '../../components/data-table.tsx';
import { addressOf } from '../../components/destination/address-of.ts';
import { EndpointMark } from '../../components/endpoint-mark.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { RelativeTime } from '../../components/relative-time.tsx';
import type { Column } from '../../components/table-columns.ts';
import { queryState } from '../../components/table-state.tsx';
import { UrlText } from '../../components/url-text.tsx';
import { rich, t } from '../../language/language.ts';
import { PortalLink } from '../portal-link.tsx';
import { type PortalEndpoint, useEndpoints } from '../portal-queries.ts';
import { useMay } from '../session.ts';
import { go, hrefOf } from '../view.ts';

// Lazy: the form is loaded when it is first opened, because the list is the portal's first page.
const AddEndpoint = lazy(async () => ({ default: (await import('./add-endpoint.tsx')).AddEndpoint }));

/** The customer's own endpoints. */
export function EndpointsPage() {
  const mayReadDeliveries = useMay('deliveries:read');
  const endpoints = useEndpoints(mayReadDeliveries);
  const rows = useMemo(() => endpoints.data?.pages.flatMap((page) => page.endpoints), [endpoints.data]);
  const [isAdding, { open, close }] = useDisclosure();
  const [hasAdded, setHasAdded] = useState(false);
  const add = () => {
    setHasAdded(true);
    open();
  };
  const addButton = useMay('endpoints:write') ? <Button onClick={add}>{t('Add endpoint')}</Button> : null;
  const hasSome = rows !== undefined && rows.length > 0;
  return (
    <>
      <PageHeader
        title={t('Your endpoints')}
        line={t('The addresses that get your messages.')}
        actions={hasSome ? addButton : null}
      />
      <DataTable
        label={t('Your endpoints')}
        columns={mayReadDeliveries ? COLUMNS : COLUMNS_WITHOUT_STATS}
        rowId={({ id }) => id}
        onOpen={({ id }) => go(hrefOf('endpoints', id))}
        onEnd={() => endpoints.hasNextPage && void endpoints.fetchNextPage()}
        list={{
          rows,
          ...queryState(endpoints),
          firstUse: (
            <EmptyState
              size="sm"
              title={t('No endpoints yet')}
              description={t(
                'An endpoint is an https address of yours. It gets the messages of the types that you choose.',
              )}
            >
              <EmptyState.Actions>{addButton}</EmptyState.Actions>
            </EmptyState>
          ),
        }}
      />
      {hasAdded ? (
        <Suspense fallback={null}>
          <AddEndpoint opened={isAdding} onClose={close} />
        </Suspense>
      ) : null}
    </>
  );
}

/** The columns that need delivery statistics. */
const OF_STATS: ReadonlySet<string> = new Set(['attempts', 'success']);

const COLUMNS: readonly Column<PortalEndpoint>[] = [
  {
    id: 'url',
    header: t('Address'),
    width: 'minmax(160px, 3fr)',
    cell: (endpoint) => (
      <PortalLink mono href={hrefOf('endpoints', endpoint.id)} title={addressOf(endpoint)}>
        <UrlText url={addressOf(endpoint)} />
      </PortalLink>
    ),
  },
  {
    id: 'state',
    header: t('State'),
    width: 'minmax(124px, 1fr)',
    cell: (row) => <EndpointMark endpoint={row} attempts={row.stats} />,
  },
  {
    id: 'description',
    header: t('Description'),
    width: 'minmax(120px, 2fr)',
    from: 'sm',
    cell: ({ description }) => description || <span className="soft">–</span>,
  },
  {
    id: 'attempts',
    header: t('Failed in 24 h'),
    width: '110px',
    from: 'sm',
    cell: ({ stats }) => <FailedShare hours={stats?.hours ?? []} />,
  },
  {
    id: 'success',
    header: t('Last success'),
    width: '100px',
    from: 'sm',
    cell: ({ stats }) => <RelativeTime at={stats?.lastSuccessAt ?? null} />,
  },
  {
    id: 'created',
    header: t('Created'),
    width: '90px',
    from: 'md',
    cell: ({ createdAt }) => <RelativeTime at={createdAt} />,
  },
];

const COLUMNS_WITHOUT_STATS = COLUMNS.filter(({ id }) => !OF_STATS.has(id));

type Hours = NonNullable<PortalEndpoint['stats']>['hours'];

/** The number of failed attempts in the last 24 hours, and of all attempts. */
function FailedShare({ hours }: { hours: Hours }) {
  const failed = hours.reduce((sum, hour) => sum + hour.failed, 0);
  const attempts = hours.reduce((sum, hour) => sum + hour.succeeded, failed);
  if (attempts === 0) return <span className="soft">{t('no attempts')}</span>;
  return (
    <span style={failed > 0 ? { color: 'var(--failed-ink)' } : {}}>
      {rich('{failed} of {attempts}', { failed, attempts })}
    </span>
  );
}
