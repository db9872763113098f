import { Button, Progress, Text } from '@mantine/core';
import type { Operation } from '../../../client/resources.ts';
import {
  isOpen,
  OPERATION_STATUS_WORDS,
  progressOf,
  progressWords,
  TYPE_WORDS,
} from '../../../components/operation/operation-words.ts';
import { RelativeTime } from '../../../components/relative-time.tsx';
import type { Column } from '../../../components/table-columns.ts';
import { type Endpoints, targetOf } from './operation-target.ts';

type Input = {
  /** The endpoints that are known. */
  endpoints: Endpoints;
  /** Given while an operation can be cancelled. */
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
    width: '72px',
    cell: (operation) =>
      isOpen(operation) ? (
        <Button variant="default" size="compact-xs" onClick={() => onCancel(operation)}>
          Cancel …
        </Button>
      ) : null,
  };
}

const INKS = {
  counting: 'delivering',
  running: 'delivering',
  completed: 'delivered',
  cancelled: 'pending',
  failed: 'failed',
} as const;

function StatusText({ operation: { status, error } }: { operation: Operation }) {
  return (
    <Text inherit span c={`var(--${INKS[status]}-ink)`} title={error ?? undefined}>
      {OPERATION_STATUS_WORDS[status]}
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
