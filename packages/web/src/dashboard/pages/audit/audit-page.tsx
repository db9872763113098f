import { Button, EmptyState, Group, Pagination } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '../../../client/api.ts';
import type { AuditEntry } from '../../../client/resources.ts';
import { DataTable } from '../../../components/data-table.tsx';
import { FilterBar } from '../../../components/filter-bar.tsx';
import { PageHeader } from '../../../components/page-header.tsx';
import { pagingNames } from '../../../components/paging-names.ts';
import { RelativeTime } from '../../../components/relative-time.tsx';
import { saveFile } from '../../../components/save-file.ts';
import type { Column } from '../../../components/table-columns.ts';
import { queryState } from '../../../components/table-state.tsx';
import { usePlace } from '../../place.ts';
import { auditCsv } from './audit-csv.ts';
import { AuditEntrySheet } from './audit-entry.tsx';
import { AuditResource } from './audit-resource.tsx';
import { ACTORS, type AuditSearch } from './audit-search.ts';

const route = getRouteApi('/w/$workspace/$environment/audit');

/** Every change of the workspace, newest first. */
export function AuditPage() {
  const { workspace } = usePlace();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const [shown, setShown] = useState<AuditEntry | null>(null);
  const log = useQuery(auditQuery(workspace.id, search));
  const { page = 1, ...filters } = search;
  const clear = () => void navigate({ search: {}, replace: true });
  return (
    <>
      <PageHeader
        title="Audit log"
        line="Every change of the workspace: by which person or token, and from what to what."
        actions={<DownloadButton entries={log.data?.data} page={page} />}
      />
      <FilterBar
        fields={FIELDS}
        values={filters}
        onChange={(name, value) => void navigate({ search: { ...filters, [name]: value }, replace: true })}
        onClear={clear}
        summary={log.data && (log.data.total === 1 ? '1 entry' : `${log.data.total.toLocaleString('en')} entries`)}
      />
      <DataTable
        label="Audit log"
        columns={COLUMNS}
        rowId={({ id }) => id}
        onOpen={setShown}
        list={{
          rows: log.data?.data,
          ...queryState(log),
          onClear: Object.keys(search).length > 0 ? clear : undefined,
          firstUse: <EmptyState size="sm" title="No entries yet" description="Every change is recorded here." />,
        }}
      />
      <Pages log={log.data} page={page} onPage={(next) => void navigate({ search: { ...filters, page: next } })} />
      <AuditEntrySheet entry={shown} onClose={() => setShown(null)} />
    </>
  );
}

type PagesProps = {
  log: { total: number; pageSize: number } | undefined;
  page: number;
  onPage: (page: number) => void;
};

function Pages({ log, page, onPage }: PagesProps) {
  const pages = log === undefined ? 1 : Math.ceil(log.total / log.pageSize);
  if (pages < 2) return null;
  return (
    <Group justify="center" mt="md">
      <Pagination size="sm" total={pages} value={page} onChange={onPage} getControlProps={pagingNames} />
    </Group>
  );
}

function DownloadButton({ entries, page }: { entries: readonly AuditEntry[] | undefined; page: number }) {
  if (entries === undefined || entries.length === 0) return null;
  return (
    <Button variant="default" onClick={() => saveFile(`audit-log-page-${page}.csv`, 'text/csv', auditCsv(entries))}>
      Download this page as CSV
    </Button>
  );
}

const RESOURCES = [
  'workspace',
  'environment',
  'event_type',
  'application',
  'endpoint',
  'subscription',
  'api_key',
  'management_token',
  'member',
  'portal_session',
  'pull_key',
  'agent_key',
  'agent_subscription',
  'alert_rule',
  'source',
  'event',
  'delivery',
  'recovery',
  'operation',
  'payload',
  'search_key',
  'session',
];

/** The pages' names for resources that the API names otherwise. */
const RESOURCE_WORDS: Readonly<Record<string, string>> = { application: 'customer' };

const FIELDS = [
  { kind: 'text', name: 'action', label: 'Action' },
  {
    kind: 'select',
    name: 'resource',
    label: 'Resource',
    options: RESOURCES.map((value) => ({ value, label: RESOURCE_WORDS[value] ?? value.replaceAll('_', ' ') })),
  },
  {
    kind: 'select',
    name: 'actor',
    label: 'Actor',
    options: Object.entries(ACTORS).map(([value, label]) => ({ value, label })),
  },
] as const;

const COLUMNS: readonly Column<AuditEntry>[] = [
  { id: 'time', header: 'When', width: '84px', cell: ({ createdAt }) => <RelativeTime at={createdAt} /> },
  {
    id: 'action',
    header: 'Action',
    width: 'minmax(146px, 1fr)',
    isMono: true,
    cell: ({ action }) => action,
  },
  {
    id: 'actor',
    header: 'Actor',
    width: 'minmax(50px, 1fr)',
    cell: ({ actorLabel }) => actorLabel || <span className="soft">erased</span>,
  },
  {
    id: 'resource',
    header: 'Resource',
    width: 'minmax(140px, 1fr)',
    from: 'sm',
    cell: (entry) => <AuditResource entry={entry} />,
  },
  {
    id: 'fields',
    header: 'Fields',
    width: 'minmax(120px, 1fr)',
    from: 'md',
    cell: ({ metadata }) => Object.keys(metadata.changes).join(', ') || <span className="soft">–</span>,
  },
];

/** One page of the audit log, newest first. */
const auditQuery = (workspaceId: string, { action, resource, actor, page = 1 }: AuditSearch) =>
  api.queryOptions(
    'get',
    '/api/workspaces/{workspaceId}/audit-logs',
    {
      params: {
        path: { workspaceId },
        query: {
          page,
          ...(action && { action }),
          ...(resource && { resource_type: resource }),
          ...(actor && { actor_type: actor }),
        },
      },
    },
    { placeholderData: keepPreviousData },
  );
