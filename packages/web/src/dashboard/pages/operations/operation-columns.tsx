import { Button, Group, Progress, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { api } from '../../../client/api.ts';
import { errorWords } from '../../../client/refusal-words.ts';
import type { Operation } from '../../../client/resources.ts';
import {
  isOpen,
  progressOf,
  progressWords,
  statusWords,
  TYPE_WORDS,
} from '../../../components/operation/operation-words.ts';
import { RelativeTime } from '../../../components/relative-time.tsx';
import type { Column } from '../../../components/table-columns.ts';
import { useReadOperationAgain } from '../../operations/operation-queries.ts';
import { usePlace } from '../../place.ts';
import { mayAdminister } from '../../role.ts';
import { type Endpoints, targetOf } from './operation-target.ts';

type Input = {
  /** The endpoints that are known, by id. */
  endpoints: Endpoints;
  /** Cancels an operation; undefined while none can be cancelled. */
  onCancel: ((operation: Operation) => void) | undefined;
};

export function operationColumns({ endpoints, onCancel }: Input): Column<Operation>[] {
  return [
    { id: 'type', header: 'Operation', width: '72px', cell: ({ type }) => TYPE_WORDS[type] },
    { id: 'status', header: 'Status', width: '80px', cell: (row) => <StatusText operation={row} /> },
    {
      id: 'target',
      header: 'Deliveries',
      width: 'minmax(140px, 3fr)',
      from: 'sm',
      cell: (row) => {
        const target = targetOf(row, endpoints);
        return <span title={target}>{target}</span>;
      },
    },
    {
      id: 'progress',
      header: 'Progress',
      width: 'minmax(60px, 2fr)',
      cell: (row) => <ProgressCell operation={row} />,
    },
    {
      id: 'created',
      header: 'Started',
      width: '80px',
      from: 'md',
      cell: ({ createdAt }) => <RelativeTime at={createdAt} />,
    },
    ...(onCancel === undefined ? [] : [cancelColumn(onCancel)]),
  ];
}

function cancelColumn(onCancel: (operation: Operation) => void): Column<Operation> {
  return {
    id: 'cancel',
    header: '',
    width: '144px',
    cell: (operation) => (isOpen(operation) ? <StopButtons operation={operation} onCancel={onCancel} /> : null),
  };
}

function StopButtons({ operation, onCancel }: { operation: Operation; onCancel: (operation: Operation) => void }) {
  const place = usePlace();
  if (operation.type === 'erasure' && !mayAdminister(place)) return null;
  return (
    <Group gap={4} wrap="nowrap" justify="flex-end">
      <PauseButton operation={operation} />
      <Button variant="default" size="compact-xs" onClick={() => onCancel(operation)}>
        Cancel …
      </Button>
    </Group>
  );
}

function PauseButton({ operation: { id, pausedAt } }: { operation: Operation }) {
  const { workspace } = usePlace();
  const readAgain = useReadOperationAgain(workspace.id);
  const { mutate, isPending } = api.useMutation(
    'post',
    `/api/workspaces/{workspaceId}/operations/{id}/${pausedAt === null ? 'pause' : 'resume'}`,
    {
      onError: (error) => notifications.show({ color: 'red', message: errorWords(error) }),
      onSettled: () => readAgain(id),
    },
  );
  return (
    <Button
      variant="default"
      size="compact-xs"
      loading={isPending}
      onClick={() => mutate({ params: { path: { workspaceId: workspace.id, id } } })}
    >
      {pausedAt === null ? 'Pause' : 'Resume'}
    </Button>
  );
}

const INKS = {
  counting: 'delivering',
  running: 'delivering',
  completed: 'delivered',
  cancelled: 'pending',
  failed: 'failed',
} as const;

function StatusText({ operation }: { operation: Operation }) {
  const { status, error } = operation;
  return (
    <Text inherit span c={`var(--${INKS[status]}-ink)`} title={error ?? undefined}>
      {statusWords(operation)}
    </Text>
  );
}

function ProgressCell({ operation }: { operation: Operation }) {
  const words = operation.error ?? progressWords(operation);
  return (
    <span title={words}>
      {isOpen(operation) ? <Progress size={4} value={progressOf(operation) * 100} aria-label="Progress" /> : null}
      <Text inherit span truncate="end" display="block" fz={12}>
        {words}
      </Text>
    </span>
  );
}
