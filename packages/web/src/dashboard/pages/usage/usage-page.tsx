import { Badge, Button, EmptyState, Group, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '../../../client/api.ts';
import { byPages } from '../../../client/by-pages.ts';
import { nextCursor } from '../../../client/next-cursor.ts';
import type { DeliveryStatus, UsageRow } from '../../../client/resources.ts';
import { nowMs } from '../../../clock.ts';
import { DataTable } from '../../../components/data-table.tsx';
import { FilterBar } from '../../../components/filter-bar.tsx';
import { PageHeader } from '../../../components/page-header.tsx';
import { BYTE_ORDER_MARK, saveFile } from '../../../components/save-file.ts';
import type { Column } from '../../../components/table-columns.ts';
import { queryState } from '../../../components/table-state.tsx';
import { usePlace } from '../../place.ts';
import { monthsBefore, spanOfMonth } from './months.ts';

const route = getRouteApi('/w/$workspace/$environment/usage');
const PAGE = 100;
type UsageStep = 'day' | 'month';

/** The usage of each customer in a month, for billing. */
export function UsagePage() {
  const { workspace } = usePlace();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  // Computed once, so that the list of months stays the same while the page is open.
  const [months] = useState(() => monthsBefore(new Date(nowMs())));
  const { month = months[0] ?? '' } = search;
  const step: UsageStep = search.step ?? 'month';
  const query = { ...spanOfMonth(month), step, limit: PAGE };
  const params = { path: { workspaceId: workspace.id }, query };
  const list = api.useInfiniteQuery('get', '/api/workspaces/{workspaceId}/usage', { params }, byPages);
  const rows = list.data?.pages.flatMap(({ usage }) => usage);
  return (
    <>
      <PageHeader
        title="Usage"
        line={`What each customer used in ${month}, in all environments of the workspace. Days and months are in UTC.`}
        actions={<DownloadButton month={month} step={step} workspaceId={workspace.id} isEmpty={!rows?.length} />}
      />
      <FilterBar
        fields={[
          { kind: 'select', name: 'month', label: 'Month', options: months.map((value) => ({ value, label: value })) },
          { kind: 'select', name: 'step', label: 'By month', options: [{ value: 'day', label: 'By day' }] },
        ]}
        values={search}
        onChange={(name, value) => void navigate({ search: (before) => ({ ...before, [name]: value }), replace: true })}
        onClear={() => void navigate({ search: {}, replace: true })}
      />
      <DataTable
        label="Usage"
        columns={COLUMNS}
        rowId={({ applicationId, from }) => `${applicationId} ${from}`}
        onEnd={() => void (list.hasNextPage && !list.isFetchingNextPage && list.fetchNextPage())}
        footer={list.hasNextPage ? <MoreButton list={list} /> : undefined}
        list={{
          rows,
          ...queryState(list),
          onClear: undefined,
          firstUse: (
            <EmptyState
              size="sm"
              title="Nothing was used in this month"
              description="Events, deliveries and attempts are counted about ten minutes after they happened."
            />
          ),
        }}
      />
    </>
  );
}

function MoreButton({ list }: { list: { isFetchingNextPage: boolean; fetchNextPage: () => Promise<unknown> } }) {
  return (
    <Button
      variant="subtle"
      size="compact-xs"
      loading={list.isFetchingNextPage}
      onClick={() => void list.fetchNextPage()}
    >
      Load more
    </Button>
  );
}

type DownloadProps = { workspaceId: string; month: string; step: UsageStep; isEmpty: boolean };

function DownloadButton({ workspaceId, month, step, isEmpty }: DownloadProps) {
  const download = useMutation({
    mutationFn: () => downloadUsage(workspaceId, { ...spanOfMonth(month), step }),
    onSuccess: (csv) => saveFile(`usage-${month}${step === 'day' ? '-by-day' : ''}.csv`, 'text/csv', csv),
  });
  return (
    <Group gap="xs">
      {download.isError ? (
        <Text role="alert" size="sm" c="var(--failed-ink)">
          The file could not be loaded.
        </Text>
      ) : null}
      <Button variant="default" disabled={isEmpty} loading={download.isPending} onClick={() => download.mutate()}>
        Download CSV
      </Button>
    </Group>
  );
}

function StateBadge({ state, ...props }: { state: DeliveryStatus; title?: string; children: string }) {
  return (
    <Badge
      size="sm"
      style={{ background: `var(--${state}-tint)`, color: `var(--${state}-ink)` }}
      tt="none"
      fw={500}
      {...props}
    />
  );
}

const number = (value: number) => value.toLocaleString('en');

const COLUMNS: readonly Column<UsageRow>[] = [
  {
    id: 'customer',
    header: 'Customer',
    width: 'minmax(120px, 2fr)',
    cell: ({ applicationId, name }) =>
      applicationId === null ? <span className="soft">no customer</span> : <span title={applicationId}>{name}</span>,
  },
  {
    id: 'from',
    header: 'From',
    width: '92px',
    from: 'sm',
    cell: ({ from }) => from.slice(0, 10),
  },
  { id: 'events', header: 'Events', width: 'minmax(64px, 1fr)', isNumeric: true, cell: ({ events }) => number(events) },
  {
    id: 'deliveries',
    header: 'Deliveries',
    width: 'minmax(76px, 1fr)',
    isNumeric: true,
    cell: ({ deliveries }) => number(deliveries),
  },
  {
    id: 'attempts',
    header: 'Attempts',
    width: 'minmax(72px, 1fr)',
    isNumeric: true,
    from: 'sm',
    cell: ({ attempts }) => number(attempts),
  },
  {
    id: 'bytes',
    header: 'Bytes',
    width: 'minmax(80px, 1fr)',
    isNumeric: true,
    from: 'sm',
    cell: ({ bytes }) => number(bytes),
  },
  {
    id: 'provisional',
    header: 'State',
    width: '104px',
    from: 'md',
    cell: ({ provisional }) =>
      provisional ? (
        <StateBadge state="scheduled_retry" title="The numbers may still rise.">
          provisional
        </StateBadge>
      ) : (
        <StateBadge state="pending">final</StateBadge>
      ),
  },
];

const MOST_ROWS = '1000';

/**
 * The usage of a workspace as a CSV file. Each page of the API begins with the header line, but the file has it only
 * once.
 */
async function downloadUsage(workspaceId: string, span: { from: string; to: string; step: string }): Promise<string> {
  let csv = BYTE_ORDER_MARK;
  for (let cursor: string | null = ''; cursor !== null; ) {
    const query = new URLSearchParams({ ...span, limit: MOST_ROWS, ...(cursor !== '' && { cursor }) });
    const answer: Response = await fetch(`/api/workspaces/${workspaceId}/usage?${query}`, {
      headers: { accept: 'text/csv' },
    });
    if (!answer.ok) throw new Error(`status ${answer.status}`);
    const page = await answer.text();
    csv += csv === BYTE_ORDER_MARK ? page : page.slice(page.indexOf('\n') + 1);
    cursor = nextCursor(answer);
  }
  return csv;
}
