import { Button, Menu, Modal } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { client } from '../../../client/api.ts';
import type { Environment, ManagementToken } from '../../../client/resources.ts';
import { nowMs } from '../../../clock.ts';
import { ConfirmContent } from '../../../components/confirm-dialog.tsx';
import { RelativeTime } from '../../../components/relative-time.tsx';
import { RowMenu } from '../../../components/row-menu.tsx';
import type { Column } from '../../../components/table-columns.ts';
import { usePlace } from '../../place.ts';
import { mayAdminister } from '../../role.ts';
import { AccessList } from './access-list.tsx';
import { tokensQuery } from './access-queries.ts';
import { CreateTokenSheet } from './create-token-sheet.tsx';
import { endedLast } from './ended.ts';
import { EndingState } from './ending-state.tsx';
import { useAccessChange } from './use-access-change.ts';

/** The management tokens of the workspace. */
export function ManagementTokens() {
  const place = usePlace();
  const isAdmin = mayAdminister(place);
  const tokens = useQuery(tokensQuery(place));
  const data = useMemo(() => tokens.data && endedLast(tokens.data, nowMs()), [tokens.data]);
  const [isCreating, { open, close }] = useDisclosure();
  const [deleting, setDeleting] = useState<ManagementToken | null>(null);
  const { environments } = place;
  const columns = useMemo(() => tokenColumns(environments, isAdmin ? setDeleting : undefined), [environments, isAdmin]);
  return (
    <>
      <AccessList
        label="Management tokens"
        sentence="A token manages the workspace from a program, within its scopes."
        button={isAdmin ? <Button onClick={open}>Create token</Button> : null}
        query={{ ...tokens, data }}
        columns={columns}
        rowId={({ id }) => id}
      />
      <CreateTokenSheet opened={isCreating} onClose={close} />
      <DeleteDialog token={deleting} onClose={() => setDeleting(null)} />
    </>
  );
}

function DeleteDialog({ token, onClose }: { token: ManagementToken | null; onClose: () => void }) {
  return (
    <Modal opened={token !== null} onClose={onClose} title={`Delete the token ${token?.name ?? ''}?`} size="sm">
      {token === null ? null : <DeleteToken token={token} onClose={onClose} />}
    </Modal>
  );
}

function DeleteToken({ token, onClose }: { token: ManagementToken; onClose: () => void }) {
  const place = usePlace();
  const remove = useAccessChange(
    tokensQuery(place).queryKey,
    () =>
      client.DELETE('/api/workspaces/{workspaceId}/management-tokens/{id}', {
        params: { path: { workspaceId: place.workspace.id, id: token.id } },
      }),
    { onClose, isToldElsewhere: true, afterClose: () => `The token ${token.name} was deleted.` },
  );
  return (
    <ConfirmContent
      onClose={onClose}
      action="Delete token"
      onConfirm={() => remove.mutate(undefined)}
      pending={remove.isPending}
      error={remove.error}
    >
      Requests with <span className="mono">{token.tokenPreview}</span> are refused from now on. This cannot be undone.
    </ConfirmContent>
  );
}

/** The limits of a token: `Staging · 203.0.113.0/24`. */
function boundsWords({ environmentIds, allowedNetworks }: ManagementToken, environments: readonly Environment[]) {
  const names = environmentIds?.map((id) => environments.find((one) => one.id === id)?.name ?? 'deleted');
  return [names?.join(', ') ?? 'All', ...(allowedNetworks === null ? [] : [allowedNetworks.join(', ')])].join(' · ');
}

function tokenColumns(
  environments: readonly Environment[],
  onDelete: ((token: ManagementToken) => void) | undefined,
): Column<ManagementToken>[] {
  const columns: Column<ManagementToken>[] = [
    { id: 'name', header: 'Name', width: 'minmax(110px, 2fr)', sortBy: ({ name }) => name, cell: ({ name }) => name },
    {
      id: 'token',
      header: 'Token',
      width: 'minmax(110px, 1fr)',
      from: 'sm',
      isMono: true,
      cell: ({ tokenPreview }) => tokenPreview,
    },
    {
      id: 'scopes',
      header: 'Scopes',
      width: 'minmax(120px, 1fr)',
      from: 'sm',
      cell: ({ scopes }) => scopes.join(', '),
    },
    {
      id: 'bounds',
      header: 'Environments',
      width: 'minmax(110px, 1fr)',
      from: 'sm',
      cell: (token) => boundsWords(token, environments),
    },
    {
      id: 'state',
      header: 'State',
      width: '136px',
      cell: (token) => (token.isDisabled ? 'Disabled' : <EndingState of={token} active="Enabled" />),
    },
    {
      id: 'used',
      header: 'Last used',
      width: '90px',
      from: 'sm',
      cell: ({ lastUsedAt }) => <RelativeTime at={lastUsedAt} />,
    },
  ];
  if (onDelete === undefined) return columns;
  const menu = (token: ManagementToken) => <TokenMenu token={token} onDelete={onDelete} />;
  return [...columns, { id: 'actions', header: '', width: '28px', cell: menu }];
}

function TokenMenu({ token, onDelete }: { token: ManagementToken; onDelete: (token: ManagementToken) => void }) {
  const place = usePlace();
  const toggle = useAccessChange(tokensQuery(place).queryKey, ({ id, isDisabled }: ManagementToken) =>
    client.PATCH('/api/workspaces/{workspaceId}/management-tokens/{id}', {
      params: { path: { workspaceId: place.workspace.id, id } },
      body: { isDisabled: !isDisabled },
    }),
  );
  return (
    <RowMenu of={token.name}>
      <Menu.Item onClick={() => toggle.mutate(token)}>{token.isDisabled ? 'Enable' : 'Disable'}</Menu.Item>
      <Menu.Item color="red" onClick={() => onDelete(token)}>
        Delete …
      </Menu.Item>
    </RowMenu>
  );
}
