import { Box, Group, Text, UnstyledButton } from '@mantine/core';
import type { Environment, EventType } from '../../../client/resources.ts';
import { CopyButton } from '../../../components/copy-button.tsx';
import type { Column } from '../../../components/table-columns.ts';
import type { Place } from '../../place.ts';
import { EventTypeMenu } from './event-type-menu.tsx';
import type { MatrixRow } from './folded-types.ts';
import { PublishSwitch } from './publish-switch.tsx';

type Actions = Record<'onPrecheck' | 'onSchema', (eventType: EventType) => void> & { onFold: (prefix: string) => void };

/** The type and its description, then a column for each environment. A narrow window shows the present one alone. */
export function eventTypeColumns(
  { environments, environment }: Place,
  { onPrecheck, onSchema, onFold }: Actions,
): Column<MatrixRow>[] {
  return [
    {
      id: 'name',
      header: 'Event type',
      width: 'minmax(150px, 2fr)',
      cell: (row) => <NameCell row={row} onFold={onFold} />,
    },
    {
      id: 'description',
      header: 'Description',
      width: 'minmax(80px, 2fr)',
      from: 'md',
      cell: (row) => (row.kind === 'group' ? null : row.eventType.description || <span className="soft">–</span>),
    },
    ...environments.map((one) => environmentColumn(one, one.id === environment.id)),
    {
      id: 'actions',
      header: '',
      width: '28px',
      cell: (row) =>
        row.kind === 'group' ? null : (
          <EventTypeMenu eventType={row.eventType} onPrecheck={onPrecheck} onSchema={onSchema} />
        ),
    },
  ];
}

function environmentColumn(environment: Environment, isPresent: boolean): Column<MatrixRow> {
  return {
    id: environment.id,
    header: environment.name,
    width: 'minmax(112px, 1fr)',
    ...(isPresent ? {} : { from: 'sm' }),
    cell: (row) =>
      row.kind === 'group' ? null : <PublishSwitch eventType={row.eventType} environment={environment} />,
  };
}

function NameCell({ row, onFold }: { row: MatrixRow; onFold: (prefix: string) => void }) {
  if (row.kind === 'group') {
    return (
      <UnstyledButton fz="sm" fw={500} aria-expanded={!row.isFolded} onClick={() => onFold(row.prefix)}>
        <span aria-hidden="true">{row.isFolded ? '▸' : '▾'}</span> {row.prefix}
        <span className="soft"> · {row.count}</span>
      </UnstyledButton>
    );
  }
  return (
    <Box pl={row.isInGroup ? 16 : 0} miw={0}>
      <Group gap={4} wrap="nowrap">
        <Text span className="mono" truncate="end" title={row.eventType.name}>
          {row.eventType.name}
        </Text>
        <Box visibleFrom="sm" flex="none">
          <CopyButton value={row.eventType.name} what={row.eventType.name} />
        </Box>
      </Group>
    </Box>
  );
}
