import { Button, EmptyState } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { client } from '../../../client/api.ts';
import { isGone } from '../../../client/api-error.ts';
import type { Session } from '../../../client/resources.ts';
import { DataTable } from '../../../components/data-table.tsx';
import { RelativeTime } from '../../../components/relative-time.tsx';
import type { Column } from '../../../components/table-columns.ts';
import { queryState } from '../../../components/table-state.tsx';
import { utcWords } from '../../../components/time-words.ts';
import { useAccessChange } from '../access/use-access-change.ts';
import { Setting } from '../settings/setting.tsx';
import { sessionsQuery } from './account-queries.ts';

/** The sessions of the user. */
export function Sessions() {
  const sessions = useQuery(sessionsQuery());
  const { mutate: end } = useAccessChange(sessionsQuery().queryKey, (sessionId: string) =>
    client.DELETE('/api/auth/sessions/{sessionId}', { params: { path: { sessionId } } }).catch(unlessGone),
  );
  const columns = useMemo(() => sessionColumns(end), [end]);
  return (
    <Setting
      title="Sessions"
      sentence="Each login begins a session. It ends 12 hours after its last use, and after 7 days at the latest. A session of the command line ends after 30 days."
    >
      <DataTable
        label="Sessions"
        columns={columns}
        rowId={({ id }) => id}
        list={{
          rows: sessions.data,
          ...queryState(sessions),
          firstUse: <EmptyState size="sm" title="No sessions" />,
        }}
      />
    </Setting>
  );
}

/** A session that is already gone, such as after a second click, is a success. */
function unlessGone(error: unknown): void {
  if (!isGone(error)) throw error;
}

function sessionColumns(end: (sessionId: string) => void): Column<Session>[] {
  return [
    {
      id: 'device',
      header: 'Device',
      width: 'minmax(96px, 1.5fr)',
      cell: ({ name }) => name ?? 'Browser',
    },
    {
      id: 'created',
      header: 'Logged in',
      width: 'minmax(96px, 1fr)',
      cell: ({ createdAt }) => <RelativeTime at={createdAt} />,
    },
    {
      id: 'expires',
      header: 'Ends',
      width: 'minmax(96px, 1fr)',
      cell: ({ expiresAt }) => <RelativeTime at={expiresAt} />,
    },
    {
      id: 'action',
      header: '',
      width: '96px',
      cell: ({ id, isCurrent, name, createdAt }) =>
        isCurrent ? (
          <span className="soft">This session</span>
        ) : (
          <Button
            variant="default"
            size="compact-xs"
            aria-label={`End the session of ${name === null ? '' : `${name}, `}${utcWords(createdAt)}`}
            onClick={() => end(id)}
          >
            End
          </Button>
        ),
    },
  ];
}
