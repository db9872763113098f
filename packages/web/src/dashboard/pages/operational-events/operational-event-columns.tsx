import { Switch } from '@mantine/core';
import type { OperationalEvent } from '../../../client/resources.ts';
import type { Column } from '../../../components/table-columns.ts';

type Actions = {
  /** The names of those that the endpoint gets. */
  told: ReadonlySet<string>;
  isEditor: boolean;
  onToggle: (event: OperationalEvent, on: boolean) => void;
};

export function operationalEventColumns({ told, isEditor, onToggle }: Actions): Column<OperationalEvent>[] {
  return [
    {
      id: 'told',
      header: '',
      width: '36px',
      cell: (event) => (
        <Switch
          size="xs"
          aria-label={`Send ${event.name}`}
          checked={told.has(event.name)}
          disabled={!isEditor}
          onChange={({ currentTarget }) => onToggle(event, currentTarget.checked)}
        />
      ),
    },
    {
      id: 'name',
      header: 'Event',
      width: 'minmax(180px, 2fr)',
      cell: ({ name }) => <span className="mono">{name}</span>,
    },
    {
      id: 'description',
      header: 'Raised when',
      width: 'minmax(120px, 4fr)',
      cell: ({ description }) => description,
    },
  ];
}
