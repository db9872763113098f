import { Button, EmptyState, Group, Menu, Modal, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { errorWords } from '../../client/refusal-words.ts';
import { rich, t } from '../../language/language.ts';
import { ConfirmContent } from '../confirm-dialog.tsx';
import { DataTable } from '../data-table.tsx';
import { useHeldSheet } from '../hold-sheet.ts';
import { RelativeTime } from '../relative-time.tsx';
import { RowMenu } from '../row-menu.tsx';
import { SideSheet } from '../side-sheet.tsx';
import type { Column } from '../table-columns.ts';
import { type Query, queryState } from '../table-state.tsx';
import { type AlertDraft, type AlertEnvironments, AlertForm } from './alert-form.tsx';
import {
  type AlertChannel,
  type AlertEvent,
  type AlertRule,
  CHANNEL_WORDS,
  EVENT_WORDS,
  lastErrorWords,
} from './alert-words.ts';

/** The operations on alert rules, by the API of the dashboard or of the portal. */
export type AlertRulesApi = {
  queryKey: readonly unknown[];
  create: (draft: AlertDraft) => Promise<unknown>;
  update: (id: string, draft: Omit<AlertDraft, 'channel'>) => Promise<unknown>;
  remove: (id: string) => Promise<unknown>;
  test: (id: string) => Promise<unknown>;
};

type Props = {
  api: AlertRulesApi;
  rules: Query & { data: AlertRule[] | undefined };
  channels: readonly AlertChannel[];
  events: readonly AlertEvent[];
  sendsMail: boolean;
  mayChange: boolean;
  /** The environments that a rule can be limited to; undefined where the reader sees only one. */
  environments?: AlertEnvironments | undefined;
  /** Columns that only one interface has, such as the owner of a rule's endpoints. Stable between renders. */
  more?: readonly Column<AlertRule>[];
  /** Whether the keys j and k move in this list. At most one list of a page may have them. Default: true. */
  hasKeys?: boolean;
};

const NO_COLUMNS: readonly Column<AlertRule>[] = [];

type Opened = { kind: 'create' } | { kind: 'edit' | 'delete'; rule: AlertRule } | null;

/** The alert rules: who is told of which events, and what happened to the last message. */
export function AlertRules({ api, rules, mayChange, more = NO_COLUMNS, hasKeys = true, ...offered }: Props) {
  const [opened, setOpened] = useState<Opened>(null);
  const close = () => setOpened(null);
  const test = useChange(api, ({ id }: AlertRule) => api.test(id), {
    told: ({ name }) => t('A test of {name} is on its way. The list shows what became of it.', { name }),
  });
  const { mutate: sendTest } = test;
  const columns = useMemo(
    () => columnsOf(more, mayChange ? { open: setOpened, sendTest } : undefined),
    [more, mayChange, sendTest],
  );
  const edited = opened?.kind === 'edit' ? opened.rule : undefined;
  const createButton = mayChange ? (
    <Button onClick={() => setOpened({ kind: 'create' })}>{t('Create alert')}</Button>
  ) : null;
  return (
    <>
      <Group justify="space-between" mb="sm" mih={30}>
        <Text size="sm" c="dimmed">
          {t('Messages for people, in plain words. They need no code.')}
        </Text>
        {rules.data?.length === 0 ? null : createButton}
      </Group>
      <DataTable
        label={t('Alerts')}
        columns={columns}
        rowId={({ id }) => id}
        hasKeys={hasKeys}
        list={{
          rows: rules.data,
          ...queryState(rules),
          firstUse: (
            <EmptyState
              size="sm"
              title={t('Nobody is notified yet')}
              description={t(
                'An alert tells people by mail or in a chat when an endpoint stops answering or deliveries are given up.',
              )}
            >
              <EmptyState.Actions>{createButton}</EmptyState.Actions>
            </EmptyState>
          ),
        }}
      />
      <SideSheet
        opened={opened?.kind === 'create' || edited !== undefined}
        onClose={close}
        title={edited === undefined ? t('Create alert') : t('Edit {name}', { name: edited.name })}
      >
        {opened?.kind === 'create' || edited !== undefined ? (
          <SaveAlert api={api} rule={edited} onDone={close} {...offered} />
        ) : null}
      </SideSheet>
      <Modal
        opened={opened?.kind === 'delete'}
        onClose={close}
        title={opened?.kind === 'delete' ? t('Delete the alert {name}?', { name: opened.rule.name }) : ''}
        size="sm"
      >
        {opened?.kind === 'delete' ? <DeleteAlert api={api} rule={opened.rule} onClose={close} /> : null}
      </Modal>
    </>
  );
}

type SaveProps = Pick<Props, 'api' | 'channels' | 'events' | 'sendsMail' | 'environments'> & {
  rule: AlertRule | undefined;
  onDone: () => void;
};

function SaveAlert({ api, rule, onDone, ...offered }: SaveProps) {
  const save = useChange(
    api,
    ({ channel, ...draft }: AlertDraft) =>
      rule === undefined ? api.create({ channel, ...draft }) : api.update(rule.id, draft),
    { onDone, isToldElsewhere: true },
  );
  useHeldSheet(save.isPending ? 'answer' : null);
  return <AlertForm rule={rule} {...offered} error={save.error} pending={save.isPending} onSave={save.mutate} />;
}

function DeleteAlert({ api, rule, onClose }: { api: AlertRulesApi; rule: AlertRule; onClose: () => void }) {
  const remove = useChange(api, () => api.remove(rule.id), { onDone: onClose, isToldElsewhere: true });
  return (
    <ConfirmContent
      onClose={onClose}
      action={t('Delete alert')}
      onConfirm={() => remove.mutate(undefined)}
      pending={remove.isPending}
      error={remove.error}
    >
      {rich('{channel} {target} gets no more alerts.', {
        channel: CHANNEL_WORDS[rule.channel].name,
        target: rule.target,
      })}
    </ConfirmContent>
  );
}

type Told<Input> = { onDone?: () => void; told?: (input: Input) => string; isToldElsewhere?: boolean };

function useChange<Input>(api: AlertRulesApi, change: (input: Input) => Promise<unknown>, options: Told<Input>) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: change,
    onSettled: () => queryClient.invalidateQueries({ queryKey: api.queryKey }),
    onSuccess: (_, input) => {
      options.onDone?.();
      const message = options.told?.(input);
      if (message !== undefined) notifications.show({ message });
    },
    onError: (error) => {
      if (options.isToldElsewhere) return;
      notifications.show({ color: 'red', title: t('Nothing was sent'), message: errorWords(error) });
    },
  });
}

type Actions = { open: (opened: Opened) => void; sendTest: (rule: AlertRule) => void };

function columnsOf(more: readonly Column<AlertRule>[], actions: Actions | undefined): Column<AlertRule>[] {
  const columns: Column<AlertRule>[] = [
    {
      id: 'name',
      header: t('Name'),
      width: 'minmax(110px, 2fr)',
      sortBy: ({ name }) => name,
      cell: ({ name }) => name,
    },
    {
      id: 'target',
      header: t('Sent to'),
      width: 'minmax(120px, 2fr)',
      from: 'sm',
      cell: ({ channel, target }) => `${CHANNEL_WORDS[channel].name} ${target}`,
    },
    {
      id: 'events',
      header: t('When'),
      width: 'minmax(120px, 2fr)',
      from: 'md',
      cell: ({ events }) => {
        const [first = events[0]] = events;
        const words = first === undefined ? '' : EVENT_WORDS[first];
        return events.length > 1 ? t('{words}, and {more} more', { words, more: events.length - 1 }) : words;
      },
    },
    ...more,
    { id: 'state', header: t('State'), width: 'minmax(120px, 3fr)', cell: stateOf },
    {
      id: 'sent',
      header: t('Last sent'),
      width: '90px',
      from: 'sm',
      cell: ({ lastSentAt }) => <RelativeTime at={lastSentAt} />,
    },
  ];
  if (actions === undefined) return columns;
  const { open, sendTest } = actions;
  const menu = (rule: AlertRule) => (
    <RowMenu of={rule.name}>
      <Menu.Item onClick={() => open({ kind: 'edit', rule })}>{t('Edit …')}</Menu.Item>
      <Menu.Item disabled={rule.status !== 'active'} onClick={() => sendTest(rule)}>
        {t('Send a test')}
      </Menu.Item>
      <Menu.Item color="red" onClick={() => open({ kind: 'delete', rule })}>
        {t('Delete …')}
      </Menu.Item>
    </RowMenu>
  );
  return [...columns, { id: 'menu', header: '', width: '44px', cell: menu }];
}

function stateOf(rule: AlertRule) {
  const { status } = rule;
  const lastError = lastErrorWords(rule);
  if (status === 'unconfirmed') return t('Waits for the link in the mail');
  if (lastError !== null) {
    return (
      <span title={lastError} style={{ color: 'var(--failed-ink)' }}>
        {lastError}
      </span>
    );
  }
  return t('Active');
}
