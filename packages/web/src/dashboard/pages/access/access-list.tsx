import { EmptyState, Group, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { DataTable, type DataTableProps } from '../../../components/data-table.tsx';
import { type Query, queryState } from '../../../components/table-state.tsx';

type Props<Row extends { createdAt: string }> = Pick<
  DataTableProps<Row>,
  'columns' | 'rowId' | 'hasKeys' | 'onSeen' | 'onEnd' | 'footer'
> & {
  label: string;
  sentence: string;
  button: ReactNode;
  query: Query & { data: Row[] | undefined };
};

/** One list of the access page: a sentence with a button, and the table. */
export function AccessList<Row extends { createdAt: string }>(props: Props<Row>) {
  const { label, sentence, button, query, ...table } = props;
  const isEmpty = query.data?.length === 0;
  return (
    <>
      <Group justify="space-between" mb="sm" mih={30}>
        <Text size="sm" c="dimmed">
          {sentence}
        </Text>
        {isEmpty ? null : button}
      </Group>
      <DataTable
        label={label}
        {...table}
        list={{
          rows: query.data,
          ...queryState(query),
          firstUse: (
            <EmptyState size="sm" title={`No ${label.toLowerCase()} yet`} description={sentence}>
              <EmptyState.Actions>{button}</EmptyState.Actions>
            </EmptyState>
          ),
        }}
      />
    </>
  );
}
