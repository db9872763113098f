import { Button, EmptyState, Group, Select, Text, TextInput } from '@mantine/core';
import { useDebouncedValue, useHotkeys } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import type { Event } from '../../client/resources.ts';
import { DataTable } from '../../components/data-table.tsx';
import { DeliveryCounts } from '../../components/delivery-counts.tsx';
import { ListFooter } from '../../components/list-footer.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { RelativeTime } from '../../components/relative-time.tsx';
import type { Column } from '../../components/table-columns.ts';
import { searchOlder } from '../../components/table-state.tsx';
import { t } from '../../language/language.ts';
import { MessageName } from '../message-name.tsx';
import { countNewer, type NewMessage } from '../new-messages.ts';
import { noDeliveryWords } from '../no-delivery-words.ts';
import { eventTypesQuery } from '../portal-queries.ts';
import { useMay } from '../session.ts';
import { PAGE, useMessages } from '../use-messages.ts';
import { useNewMessages } from '../use-new-messages.ts';
import { go, hrefOf, useFilter } from '../view.ts';

const TYPING_MS = 300;

/** All messages to the customer, newest first. New ones are only added on a click. */
export function MessagesPage() {
  const [type, setType] = useFilter('type');
  const mayReadTypes = useMay('endpoints:read');
  const { data: types = [] } = useQuery({ ...eventTypesQuery(), enabled: mayReadTypes });
  const [value, setValue] = useKeptValue();
  const field = useRef<HTMLInputElement>(null);
  useHotkeys([['/', () => field.current?.focus()]]);
  const [searched] = useDebouncedValue(value.trim(), TYPING_MS);
  const maySearch = useMay('payloads:read') && types.some(({ searchKeys }) => searchKeys !== null);
  const { list, pages, showNewest, readNewest } = useMessages(type, maySearch ? searched : '');
  const { rows } = pages.state;
  const clear = () => {
    setType(null);
    setValue('');
  };
  return (
    <>
      <PageHeader
        title={t('Messages')}
        line={t('The messages that were sent to you, newest first, and what your endpoints did with them.')}
        actions={
          rows === undefined || searched !== '' ? null : (
            <NewMessages type={type} rows={rows} onShow={showNewest} readNewest={readNewest} />
          )
        }
      />
      <Group gap="sm" mb="sm">
        {mayReadTypes ? (
          <Select
            aria-label={t('Event type')}
            placeholder={t('All event types')}
            size="xs"
            maw={260}
            searchable
            clearable
            data={types.map(({ name }) => name)}
            value={type}
            onChange={setType}
          />
        ) : null}
        {maySearch ? (
          <TextInput
            ref={field}
            aria-label={t('Contains')}
            placeholder={t('Contains, such as an order number')}
            size="xs"
            w={260}
            value={value}
            onChange={({ currentTarget }) => setValue(currentTarget.value)}
          />
        ) : null}
      </Group>
      <DataTable
        label={t('Messages')}
        columns={COLUMNS}
        rowId={({ id }) => id}
        onOpen={({ id }) => go(hrefOf('messages', id))}
        onSeen={pages.onSeen}
        onEnd={pages.onEnd}
        footer={rows && rows.length > 0 ? <ListFooter count={rows.length} list={list} /> : undefined}
        list={{
          ...pages.state,
          onClear: type === null && searched === '' ? undefined : clear,
          searchOlder: searchOlder(list, PAGE),
          firstUse: <NoMessages />,
        }}
      />
    </>
  );
}

let keptValue = '';

/** What is searched for, also after a message was opened. A value of a payload stands in no address, so memory keeps it. */
function useKeptValue(): [value: string, set: (value: string) => void] {
  const [value, setValue] = useState(keptValue);
  const set = (next: string) => {
    keptValue = next;
    setValue(next);
  };
  return [value, set];
}

type NewMessagesProps = {
  /** The event type that the list is limited to; null for all types. */
  type: string | null;
  rows: readonly Event[];
  onShow: () => Promise<void>;
  readNewest: () => Promise<readonly NewMessage[]>;
};

/** A button that shows how many messages are newer than the list. A click shows them. */
function NewMessages({ type, rows, onShow, readNewest }: NewMessagesProps) {
  const { messages, isLive, forget } = useNewMessages(readNewest);
  const count = countNewer(messages, type, rows[0]?.id ?? '');
  if (count === 0) {
    return (
      <Text size="xs" c="dimmed">
        {isLive ? t('● live') : t('○ connecting')}
      </Text>
    );
  }
  return (
    <Button
      size="compact-sm"
      variant="light"
      radius="xl"
      onClick={() => {
        forget();
        void onShow();
      }}
    >
      {t('Show {count} new', { count })}
    </Button>
  );
}

function NoMessages() {
  const mayReadEndpoints = useMay('endpoints:read');
  return (
    <EmptyState
      size="sm"
      title={t('No messages yet')}
      description={t('A message appears when something happens that one of your endpoints subscribes to.')}
    >
      {mayReadEndpoints ? (
        <EmptyState.Actions>
          <Button component="a" href={hrefOf('endpoints')}>
            {t('Your endpoints')}
          </Button>
        </EmptyState.Actions>
      ) : null}
    </EmptyState>
  );
}

const COLUMNS: readonly Column<Event>[] = [
  {
    id: 'type',
    header: t('Event type'),
    width: 'minmax(110px, 2fr)',
    cell: (row) => <MessageName href={hrefOf('messages', row.id)} of={row} />,
  },
  {
    id: 'deliveries',
    header: t('Endpoints'),
    width: 'minmax(80px, 1fr)',
    cell: ({ deliveries, status }) => <DeliveryCounts counts={deliveries} none={noDeliveryWords(status)} />,
  },
  {
    id: 'id',
    header: t('Id'),
    width: 'minmax(232px, 1fr)',
    from: 'md',
    cell: ({ id }) => <span className="mono">{id}</span>,
  },
  { id: 'created', header: t('Accepted'), width: '86px', cell: ({ createdAt }) => <RelativeTime at={createdAt} /> },
];
