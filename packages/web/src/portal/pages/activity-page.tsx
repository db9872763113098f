import { EmptyState, Pagination } from '@mantine/core';
import { keepPreviousData } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../client/api.ts';
import { DataTable } from '../../components/data-table.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { RelativeTime } from '../../components/relative-time.tsx';
import type { Column } from '../../components/table-columns.ts';
import { queryState } from '../../components/table-state.tsx';
import type { components } from '../../generated/api.ts';
import { t } from '../../language/language.ts';
import { actionWords, fieldWords } from '../activity-words.ts';

type Entry = components['schemas']['AuditLogEntry'];

/** Who changed what, on both sides, newest first. */
export function ActivityPage() {
  const [page, setPage] = useState(1);
  const log = api.useQuery(
    'get',
    '/api/portal/audit-logs',
    { params: { query: { page } } },
    { placeholderData: keepPreviousData },
  );
  const pages = log.data === undefined ? 1 : Math.ceil(log.data.total / log.data.pageSize);
  return (
    <>
      <PageHeader title={t('Activity')} line={t('Changes to your endpoints, newest first.')} />
      <DataTable
        label={t('Activity')}
        columns={COLUMNS}
        rowId={({ id }) => id}
        footer={pages > 1 ? <Pagination size="xs" total={pages} value={page} onChange={setPage} /> : undefined}
        list={{
          rows: log.data?.data,
          ...queryState(log),
          firstUse: <EmptyState size="sm" title={t('Nothing has been changed yet')} />,
        }}
      />
    </>
  );
}

/** The service's own changes have its name, which the customer does not know. */
function actorWords({ actorType, actorLabel }: Entry): string {
  if (actorType === 'portal_session') return t('Your side');
  return actorType === 'system' ? t('The sender’s system') : actorLabel;
}

const COLUMNS: readonly Column<Entry>[] = [
  { id: 'at', header: t('When'), width: '84px', cell: ({ createdAt }) => <RelativeTime at={createdAt} /> },
  { id: 'action', header: t('What'), width: 'minmax(140px, 1fr)', cell: ({ action }) => actionWords(action) },
  {
    id: 'actor',
    header: t('By'),
    width: 'minmax(60px, 1fr)',
    cell: actorWords,
  },
  {
    id: 'changes',
    header: t('Changed'),
    width: 'minmax(120px, 1fr)',
    from: 'sm',
    cell: ({ metadata }) => fieldWords(Object.keys(metadata.changes)) || <span className="soft">–</span>,
  },
  {
    id: 'resource',
    header: t('Id'),
    width: 'minmax(180px, 1fr)',
    from: 'md',
    cell: ({ resourceId }) => <span className="mono">{resourceId}</span>,
  },
];
