import { Alert, Button, Menu, Skeleton, Stack, Table, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { client } from '../../../client/api.ts';
import type { Source } from '../../../client/resources.ts';
import { ConfirmDialog } from '../../../components/confirm-dialog.tsx';
import { DataTable } from '../../../components/data-table.tsx';
import { ErrorNotice } from '../../../components/error-notice.tsx';
import { FirstUse } from '../../../components/first-use.tsx';
import { PageHeader } from '../../../components/page-header.tsx';
import { RelativeTime } from '../../../components/relative-time.tsx';
import { RowMenu } from '../../../components/row-menu.tsx';
import { SideSheet } from '../../../components/side-sheet.tsx';
import type { Column } from '../../../components/table-columns.ts';
import { queryState } from '../../../components/table-state.tsx';
import { usePlace } from '../../place.ts';
import { mayChange } from '../../role.ts';
import { SourceForm } from './source-form.tsx';
import { rejectionsQuery, sourcesQuery } from './source-queries.ts';
import { TestSource } from './test-source.tsx';

/** The refetch interval of the health. A reader reports about as often. */
const HEALTH_MS = 3_000;

/** The sources: topics whose records become events, and the state of their readers. */
export function SourcesPage() {
  const place = usePlace();
  const query = useQuery({ ...sourcesQuery(place), refetchInterval: HEALTH_MS });
  const [sheet, setSheet] = useState<Sheet | null>(null);
  const [deleting, setDeleting] = useState<Source | null>(null);
  const { update, remove } = useSourceChanges();
  const menu = (source: Source) => (
    <RowMenu of={source.name}>
      <Menu.Item onClick={() => setSheet({ kind: 'rejections', source })}>Rejected records</Menu.Item>
      {mayChange(place) ? (
        <>
          <Menu.Item onClick={() => setSheet({ kind: 'form', source })}>Edit</Menu.Item>
          <Menu.Item onClick={() => setSheet({ kind: 'test', source })}>Test the connection</Menu.Item>
          <Menu.Item onClick={() => update.mutate({ id: source.id, isActive: !source.isActive })}>
            {source.isActive ? 'Stop reading' : 'Read on'}
          </Menu.Item>
          <Menu.Item color="red" onClick={() => setDeleting(source)}>
            Delete …
          </Menu.Item>
        </>
      ) : null}
    </RowMenu>
  );
  const close = () => setDeleting(null);
  const add = mayChange(place) ? (
    <Button size="sm" onClick={() => setSheet({ kind: 'form', source: undefined })}>
      Add source
    </Button>
  ) : undefined;
  return (
    <>
      <PageHeader
        title="Sources"
        line="Topics of Kafka whose records become events, each record once."
        actions={query.data?.sources.length === 0 ? null : add}
      />
      <DataTable
        label="Sources"
        columns={[...COLUMNS, { id: 'menu', header: '', width: '40px', cell: menu }]}
        rowId={({ id }) => id}
        list={{ rows: query.data?.sources, ...queryState(query), firstUse: <NoSources action={add} /> }}
      />
      <SideSheet opened={sheet !== null} onClose={() => setSheet(null)} title={sheet === null ? '' : titleOf(sheet)}>
        {sheet === null ? null : <SheetContent sheet={sheet} onSheet={setSheet} />}
      </SideSheet>
      <ConfirmDialog
        opened={deleting !== null}
        title="Delete the source"
        action="Delete source"
        onClose={close}
        onConfirm={() => deleting && remove.mutate(deleting.id, { onSuccess: close })}
        pending={remove.isPending}
        error={remove.error}
      >
        Its place in the topics and its list of rejected records are deleted. Its events stay.
      </ConfirmDialog>
    </>
  );
}

type Sheet = { kind: 'rejections' | 'test'; source: Source } | { kind: 'form'; source: Source | undefined };

function titleOf({ kind, source }: Sheet): string {
  if (kind === 'form') return source === undefined ? 'Add source' : 'Edit source';
  return kind === 'test' ? 'Test the connection' : 'Rejected records';
}

function SheetContent({ sheet, onSheet }: { sheet: Sheet; onSheet: (sheet: Sheet | null) => void }) {
  if (sheet.kind === 'rejections') return <Rejections source={sheet.source} />;
  if (sheet.kind === 'test') return <TestSource source={sheet.source} />;
  // After a form was saved, the next step is a test of the connection.
  return <SourceForm source={sheet.source} onDone={(source) => onSheet({ kind: 'test', source })} />;
}

const STATUS_WORDS: Record<Source['health']['status'], string> = {
  starting: 'Starting',
  running: 'Running',
  paused: 'Paused: deliveries wait',
  quota: 'Paused: quota',
  failing: 'Failing',
  stopped: 'Stopped',
  inactive: 'Off',
};

const COLUMNS: readonly Column<Source>[] = [
  { id: 'name', header: 'Source', width: 'minmax(120px, 2fr)', cell: ({ name }) => name },
  {
    id: 'topics',
    header: 'Topics',
    width: 'minmax(100px, 2fr)',
    from: 'sm',
    isMono: true,
    cell: ({ config }) => config.topics.join(', '),
  },
  {
    id: 'status',
    header: 'Status',
    width: 'minmax(120px, 3fr)',
    cell: ({ health: { status, error } }) => {
      const words = error === null ? STATUS_WORDS[status] : `${STATUS_WORDS[status]}: ${error}`;
      const isBad = status === 'failing' || status === 'stopped';
      return (
        <Text span size="sm" title={words} {...(isBad ? { c: 'red' } : {})}>
          {words}
        </Text>
      );
    },
  },
  {
    id: 'lag',
    header: 'Waiting',
    width: '80px',
    from: 'sm',
    isNumeric: true,
    cell: ({ health }) => health.lagRecords?.toLocaleString('en') ?? '–',
  },
  {
    id: 'rejected',
    header: 'Rejected',
    width: '80px',
    from: 'md',
    isNumeric: true,
    cell: ({ health }) => health.rejected.toLocaleString('en'),
  },
  {
    id: 'last',
    header: 'Last record',
    width: '90px',
    from: 'md',
    cell: ({ health }) => (health.lastRecordAt === null ? '–' : <RelativeTime at={health.lastRecordAt} />),
  },
];

function useSourceChanges() {
  const place = usePlace();
  const queryClient = useQueryClient();
  const pathOf = (id: string) => ({ path: { workspaceId: place.workspace.id, id } });
  const onSettled = () => queryClient.invalidateQueries({ queryKey: sourcesQuery(place).queryKey });
  const update = useMutation({
    mutationFn: ({ id, isActive }: { id: string; isActive: boolean }) =>
      client.PATCH('/api/workspaces/{workspaceId}/sources/{id}', { params: pathOf(id), body: { isActive } }),
    onSettled,
    onError: ({ message }) => notifications.show({ color: 'red', title: 'Nothing was changed', message }),
  });
  const remove = useMutation({
    mutationFn: (id: string) => client.DELETE('/api/workspaces/{workspaceId}/sources/{id}', { params: pathOf(id) }),
    onSettled,
  });
  return { update, remove };
}

function Rejections({ source }: { source: Source }) {
  const query = useQuery(rejectionsQuery(usePlace(), source.id));
  return (
    <Stack gap="md">
      {source.health.error === null ? null : <Alert color="red">{source.health.error}</Alert>}
      <Text size="sm" c="dimmed">
        Records that did not become events, newest first. They stay in their topics.
      </Text>
      {query.error ? (
        <ErrorNotice title="The list could not be loaded" error={query.error} onRetry={() => void query.refetch()} />
      ) : null}
      {query.isLoading ? <Skeleton height={120} /> : null}
      {query.data?.rejections.length === 0 ? <Text size="sm">None.</Text> : null}
      {query.data === undefined || query.data.rejections.length === 0 ? null : (
        // A list of the page renders the rows that are in sight of the window, and the sheet scrolls by itself.
        <Table aria-label="Rejected records" layout="fixed">
          <Table.Thead>
            <Table.Tr>
              <Table.Th w="40%">Record</Table.Th>
              <Table.Th>Why</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {query.data.rejections.map(({ topic, partition, offset, message }) => (
              <Table.Tr key={`${topic}/${partition}/${offset}`} style={{ overflowWrap: 'anywhere' }}>
                <Table.Td valign="top" className="mono">{`${topic}/${partition}/${offset}`}</Table.Td>
                <Table.Td valign="top">{message}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      )}
    </Stack>
  );
}

function NoSources({ action }: { action: ReactNode }) {
  return (
    <FirstUse
      title="No sources yet"
      sentence="Events come from your requests. They can also be read from topics of Kafka."
      action={action}
      curl={COMMAND}
    />
  );
}

const COMMAND = `posthorn sources create Orders --credentials '{"username":"posthorn","password":"…"}' \\
  --config '{"brokers":["kafka.example.com:9093"],"saslMechanism":"scram-sha-512","topics":["orders"],"eventType":{"header":"type"}}'`;
