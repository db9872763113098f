import { Button, Menu, Modal } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { client } from '../../../client/api.ts';
import type { ApiKey } from '../../../client/resources.ts';
import { nowMs } from '../../../clock.ts';
import { ConfirmContent } from '../../../components/confirm-dialog.tsx';
import { RelativeTime } from '../../../components/relative-time.tsx';
import { RowMenu } from '../../../components/row-menu.tsx';
import type { Column } from '../../../components/table-columns.ts';
import { usePlace } from '../../place.ts';
import { mayAdminister } from '../../role.ts';
import { AccessList } from './access-list.tsx';
import { apiKeysQuery } from './access-queries.ts';
import { endedBy, endedLast } from './ended.ts';
import { EndingState, UntilEnd } from './ending-state.tsx';
import { CreateKeySheet, RotateKeySheet } from './key-sheets.tsx';
import { useAccessChange } from './use-access-change.ts';

type Opened = { kind: 'create' } | { kind: 'rotate' | 'delete'; key: ApiKey } | null;

/** The API keys of the environment. */
export function ApiKeys() {
  const place = usePlace();
  const isAdmin = mayAdminister(place);
  const keys = useQuery(apiKeysQuery(place));
  const [opened, setOpened] = useState<Opened>(null);
  const data = useMemo(() => keys.data && endedLast(keys.data, nowMs()), [keys.data]);
  const columns = useMemo(() => keyColumns(isAdmin ? setOpened : undefined), [isAdmin]);
  const close = () => setOpened(null);
  return (
    <>
      <AccessList
        label="API keys"
        sentence={`A key sends events to ${place.environment.name} alone.`}
        button={isAdmin ? <Button onClick={() => setOpened({ kind: 'create' })}>Create API key</Button> : null}
        query={{ ...keys, data }}
        columns={columns}
        rowId={({ id }) => id}
      />
      <CreateKeySheet opened={opened?.kind === 'create'} onClose={close} />
      <RotateKeySheet apiKey={opened?.kind === 'rotate' ? opened.key : null} onClose={close} />
      <DeleteDialog apiKey={opened?.kind === 'delete' ? opened.key : null} onClose={close} />
    </>
  );
}

function DeleteDialog({ apiKey, onClose }: { apiKey: ApiKey | null; onClose: () => void }) {
  return (
    <Modal opened={apiKey !== null} onClose={onClose} title={`Delete the key ${apiKey?.name ?? ''}?`} size="sm">
      {apiKey === null ? null : <DeleteKey apiKey={apiKey} onClose={onClose} />}
    </Modal>
  );
}

function DeleteKey({ apiKey, onClose }: { apiKey: ApiKey; onClose: () => void }) {
  const place = usePlace();
  const hasEnded = endedBy(apiKey, nowMs()) !== null;
  const remove = useAccessChange(
    apiKeysQuery(place).queryKey,
    () =>
      client.DELETE('/api/workspaces/{workspaceId}/environments/{environmentId}/api-keys/{id}', {
        params: { path: { workspaceId: place.workspace.id, environmentId: place.environment.id, id: apiKey.id } },
      }),
    { onClose, isToldElsewhere: true, afterClose: () => `The key ${apiKey.name} was deleted.` },
  );
  return (
    <ConfirmContent
      onClose={onClose}
      action="Delete API key"
      onConfirm={() => remove.mutate(undefined)}
      pending={remove.isPending}
      error={remove.error}
    >
      Requests with <span className="mono">{apiKey.keyPreview}</span>{' '}
      {hasEnded ? 'are refused already. It leaves the list.' : 'are refused from now on.'} This cannot be undone.
    </ConfirmContent>
  );
}

function keyColumns(open: ((opened: Opened) => void) | undefined): Column<ApiKey>[] {
  const columns: Column<ApiKey>[] = [
    { id: 'name', header: 'Name', width: 'minmax(110px, 2fr)', sortBy: ({ name }) => name, cell: ({ name }) => name },
    {
      id: 'key',
      header: 'Key',
      width: 'minmax(110px, 1fr)',
      from: 'sm',
      isMono: true,
      cell: ({ keyPreview }) => keyPreview,
    },
    { id: 'state', header: 'State', width: '136px', cell: (key) => <EndingState of={key} active="Active" /> },
    {
      id: 'used',
      header: 'Last used',
      width: '90px',
      from: 'sm',
      cell: ({ lastUsedAt }) => <RelativeTime at={lastUsedAt} />,
    },
    {
      id: 'created',
      header: 'Created',
      width: '90px',
      from: 'sm',
      cell: ({ createdAt }) => <RelativeTime at={createdAt} />,
    },
  ];
  if (open === undefined) return columns;
  const menu = (key: ApiKey) => (
    <RowMenu of={key.name}>
      {key.revokedAt === null ? (
        <UntilEnd of={key}>
          <Menu.Item onClick={() => open({ kind: 'rotate', key })}>Rotate …</Menu.Item>
        </UntilEnd>
      ) : null}
      <Menu.Item color="red" onClick={() => open({ kind: 'delete', key })}>
        Delete …
      </Menu.Item>
    </RowMenu>
  );
  return [...columns, { id: 'actions', header: '', width: '28px', cell: menu }];
}
