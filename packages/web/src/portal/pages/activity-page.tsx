import { EmptyState, Pagination } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { api } from '../../client/api.ts';
import { DataTable } from '../../components/data-table.tsx';
import { addressOf } from '../../components/destination/address-of.ts';
import { PageHeader } from '../../components/page-header.tsx';
import { pagingNames } from '../../components/paging-names.ts';
import { RelativeTime } from '../../components/relative-time.tsx';
import type { Column } from '../../components/table-columns.ts';
import { queryState } from '../../components/table-state.tsx';
import { UrlText } from '../../components/url-text.tsx';
import type { components } from '../../generated/api.ts';
import { t } from '../../language/language.ts';
import { actionWords, fieldWords } from '../activity-words.ts';
import { PortalLink } from '../portal-link.tsx';
import { firstEndpointsQuery, type PortalEndpoint } from '../portal-queries.ts';
import { useMay } from '../session.ts';
import { hrefOf, useFilter } from '../view.ts';

type Entry = components['schemas']['AuditLogEntry'];

/** The changes by the customer and by the sender, newest first. */
export function ActivityPage() {
  const [number, setNumber] = useFilter('page');
  const page = Math.max(Math.trunc(Number(number)) || 1, 1);
  const log = api.useQuery(
    'get',
    '/api/portal/audit-logs',
    { params: { query: { page } } },
    { placeholderData: keepPreviousData },
  );
  const { data: endpoints } = useQuery({ ...firstEndpointsQuery(), enabled: useMay('endpoints:read') });
  const columns = useMemo(() => columnsOf(endpoints ?? []), [endpoints]);
  const pages = log.data === undefined ? 1 : Math.ceil(log.data.total / log.data.pageSize);
  return (
    <>
      <PageHeader title={t('Activity')} line={t('Changes to your endpoints, newest first.')} />
      <DataTable
        label={t('Activity')}
        columns={columns}
        rowId={({ id }) => id}
        footer={
          pages > 1 ? (
            <Pagination
              size="xs"
              total={pages}
              value={page}
              onChange={(chosen) => setNumber(`${chosen}`)}
              getControlProps={pagingNames}
            />
          ) : undefined
        }
        list={{
          rows: log.data?.data,
          ...queryState(log),
          firstUse: <EmptyState size="sm" title={t('Nothing has been changed yet')} />,
        }}
      />
    </>
  );
}

/** Hides the service's name, under which its own changes are logged: the customer does not know it. */
function actorWords({ actorType, actorLabel }: Entry): string {
  if (actorType === 'portal_session') return t('Your side');
  return actorType === 'system' ? t('The sender’s system') : actorLabel;
}

/** `endpoints` are the known endpoints. Any other resource is shown by its id. */
function columnsOf(endpoints: readonly PortalEndpoint[]): Column<Entry>[] {
  const addresses = new Map(endpoints.map((endpoint) => [endpoint.id, addressOf(endpoint)]));
  return [
    ...COLUMNS,
    { id: 'resource', header: t('Where'), width: 'minmax(180px, 1fr)', from: 'md', cell: resourceOf },
  ];

  function resourceOf({ resourceId }: Entry) {
    const address = addresses.get(resourceId);
    if (address === undefined) return <span className="mono">{resourceId}</span>;
    return (
      <PortalLink mono href={hrefOf('endpoints', resourceId)} title={address}>
        <UrlText url={address} />
      </PortalLink>
    );
  }
}

const COLUMNS: readonly Column<Entry>[] = [
  { id: 'at', header: t('When'), width: '72px', cell: ({ createdAt }) => <RelativeTime at={createdAt} /> },
  { id: 'action', header: t('What'), width: 'minmax(150px, 1fr)', cell: ({ action }) => actionWords(action) },
  {
    id: 'actor',
    header: t('By'),
    width: 'minmax(74px, 0.6fr)',
    cell: actorWords,
  },
  {
    id: 'changes',
    header: t('Changed'),
    width: 'minmax(120px, 2fr)',
    from: 'sm',
    cell: ({ metadata }) => {
      const words = fieldWords(Object.keys(metadata.changes));
      return words === '' ? <span className="soft">–</span> : <span title={words}>{words}</span>;
    },
  },
];
