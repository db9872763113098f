import { Button, Switch, Text, Tooltip } from '@mantine/core';
import type { Subscription } from '../../../client/resources.ts';
import { filterWords } from '../../../components/filter/clause-words.ts';
import type { Column } from '../../../components/table-columns.ts';

export type SubscriptionRow = {
  /** The id of the event type. */
  id: string;
  name: string;
  example: unknown;
  subscription: Subscription | null;
  isPublished: boolean;
};

type Actions = {
  isEditor: boolean;
  onToggle: (row: SubscriptionRow) => void;
  onEdit: (row: SubscriptionRow) => void;
};

export function subscriptionColumns({ isEditor, onToggle, onEdit }: Actions): Column<SubscriptionRow>[] {
  return [
    {
      id: 'subscribed',
      header: '',
      width: '36px',
      cell: (row) => (
        <Switch
          size="xs"
          aria-label={`Subscribe to ${row.name}`}
          checked={row.subscription !== null}
          disabled={!isEditor}
          onChange={() => onToggle(row)}
        />
      ),
    },
    {
      id: 'name',
      header: 'Event type',
      width: 'minmax(110px, 2fr)',
      cell: ({ name, isPublished }) => (
        <>
          <span className="mono">{name}</span>
          {isPublished ? null : (
            <Text span size="xs" c="dimmed">
              {' '}
              not published here
            </Text>
          )}
        </>
      ),
    },
    {
      id: 'filter',
      header: 'Filter',
      width: 'minmax(60px, 3fr)',
      from: 'sm',
      cell: ({ subscription }) => <FilterText filter={subscription?.filter ?? null} />,
    },
    {
      id: 'edit',
      header: '',
      width: '72px',
      cell: (row) =>
        isEditor && row.subscription !== null ? (
          <Button variant="subtle" size="compact-xs" aria-label={`Filter of ${row.name}`} onClick={() => onEdit(row)}>
            {row.subscription.filter === null ? 'Filter …' : 'Edit …'}
          </Button>
        ) : null,
    },
  ];
}

/** The filter in words. Hovering shows its JSON. */
function FilterText({ filter }: { filter: Subscription['filter'] }) {
  if (filter === null) return <span className="soft">–</span>;
  return (
    <Tooltip label={<pre style={{ margin: 0, whiteSpace: 'pre-wrap' }}>{JSON.stringify(filter, null, 2)}</pre>}>
      <span>{filterWords(filter)}</span>
    </Tooltip>
  );
}
