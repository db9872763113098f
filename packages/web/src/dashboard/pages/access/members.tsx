import { Button, Menu, Modal, Select } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { client } from '../../../client/api.ts';
import type { Member, Role } from '../../../client/resources.ts';
import { ConfirmContent } from '../../../components/confirm-dialog.tsx';
import { RelativeTime } from '../../../components/relative-time.tsx';
import { RowMenu } from '../../../components/row-menu.tsx';
import type { Column } from '../../../components/table-columns.ts';
import { type Place, usePlace } from '../../place.ts';
import { isOwner, mayAdminister } from '../../role.ts';
import { useReadPlaceAgain } from '../settings/use-place-change.ts';
import { AccessList } from './access-list.tsx';
import { membersQuery } from './access-queries.ts';
import { InviteSheet, ReinviteSheet } from './invite-sheets.tsx';
import { rolesToGive } from './roles-to-give.ts';
import { useAccessChange } from './use-access-change.ts';

type Opened = { kind: 'invite' } | { kind: 'reinvite' | 'remove'; member: Member } | null;

/** The members of the workspace, and the invited people. */
export function Members() {
  const place = usePlace();
  const members = useQuery(membersQuery(place));
  const [opened, setOpened] = useState<Opened>(null);
  const columns = useMemo(() => memberColumns(place, setOpened), [place]);
  const close = () => setOpened(null);
  const button = <Button onClick={() => setOpened({ kind: 'invite' })}>Invite a person</Button>;
  return (
    <>
      <AccessList
        label="Members"
        sentence="Each role may do everything that the roles before it may do: viewer, member, admin, owner."
        button={mayAdminister(place) ? button : null}
        query={members}
        columns={columns}
        rowId={({ userId }) => userId}
      />
      <InviteSheet opened={opened?.kind === 'invite'} onClose={close} />
      <ReinviteSheet member={opened?.kind === 'reinvite' ? opened.member : null} onClose={close} />
      <RemoveDialog member={opened?.kind === 'remove' ? opened.member : null} onClose={close} />
    </>
  );
}

function RemoveDialog({ member, onClose }: { member: Member | null; onClose: () => void }) {
  return (
    <Modal opened={member !== null} onClose={onClose} title={`Remove ${member?.email ?? ''}?`} size="sm">
      {member === null ? null : <RemoveMember member={member} onClose={onClose} />}
    </Modal>
  );
}

function RemoveMember({ member, onClose }: { member: Member; onClose: () => void }) {
  const place = usePlace();
  const readOwnAgain = useReadOwnAgain();
  const remove = useAccessChange(
    membersQuery(place).queryKey,
    () =>
      client.DELETE('/api/workspaces/{workspaceId}/members/{userId}', {
        params: { path: { workspaceId: place.workspace.id, userId: member.userId } },
      }),
    {
      onSuccess: () => readOwnAgain(member),
      onClose,
      isToldElsewhere: true,
      afterClose: () => `${member.email} was removed.`,
    },
  );
  return (
    <ConfirmContent
      onClose={onClose}
      action={member.status === 'invited' ? 'End the invitation' : 'Remove member'}
      onConfirm={() => remove.mutate(undefined)}
      pending={remove.isPending}
      error={remove.error}
    >
      {member.status === 'invited'
        ? 'The invitation can no longer be accepted.'
        : 'This person loses access at once. Management tokens of this person stay: delete them under Management tokens.'}
    </ConfirmContent>
  );
}

/** Only owners may change owners. */
function mayChangeMember(place: Place, { role }: Member): boolean {
  return role === 'owner' ? isOwner(place) : mayAdminister(place);
}

function memberColumns(place: Place, open: (opened: Opened) => void): Column<Member>[] {
  const columns: Column<Member>[] = [
    { id: 'email', header: 'Email', width: 'minmax(140px, 2fr)', cell: ({ email }) => email },
    { id: 'name', header: 'Name', width: 'minmax(80px, 1fr)', from: 'sm', cell: ({ name }) => name },
    { id: 'role', header: 'Role', width: '104px', cell: (member) => <RoleChoice member={member} /> },
    { id: 'status', header: 'Status', width: '64px', from: 'sm', cell: ({ status }) => WORDS[status] },
    {
      id: 'since',
      header: 'Since',
      width: '90px',
      from: 'sm',
      cell: ({ createdAt }) => <RelativeTime at={createdAt} />,
    },
  ];
  if (!mayAdminister(place)) return columns;
  columns.splice(4, 0, {
    id: 'second-factor',
    header: '2nd factor',
    width: '84px',
    from: 'sm',
    cell: ({ hasSecondFactor }) => (hasSecondFactor == null ? '' : hasSecondFactor ? 'Yes' : 'No'),
  });
  const menu = (member: Member) =>
    mayChangeMember(place, member) ? (
      <RowMenu of={member.email}>
        {member.status === 'invited' ? (
          <Menu.Item onClick={() => open({ kind: 'reinvite', member })}>Invite again …</Menu.Item>
        ) : null}
        <Menu.Item color="red" onClick={() => open({ kind: 'remove', member })}>
          Remove …
        </Menu.Item>
      </RowMenu>
    ) : null;
  return [...columns, { id: 'actions', header: '', width: '28px', cell: menu }];
}

const WORDS = { active: 'Active', invited: 'Invited' };

/**
 * Refetches the user's role after a change of the user's own membership, so that the dashboard offers the right
 * actions.
 */
function useReadOwnAgain(): (member: Member) => void {
  const { user } = usePlace();
  const readPlaceAgain = useReadPlaceAgain();
  return ({ userId }) => {
    if (userId === user.id) void readPlaceAgain();
  };
}

function RoleChoice({ member }: { member: Member }) {
  const place = usePlace();
  const readOwnAgain = useReadOwnAgain();
  const change = useAccessChange(
    membersQuery(place).queryKey,
    (role: Role) =>
      client.PATCH('/api/workspaces/{workspaceId}/members/{userId}', {
        params: { path: { workspaceId: place.workspace.id, userId: member.userId } },
        body: { role },
      }),
    { onSuccess: () => readOwnAgain(member) },
  );
  if (!mayChangeMember(place, member)) return member.role;
  const roles = rolesToGive(place);
  const choose = (value: string | null) => {
    const role = roles.find((one) => one === value);
    if (role !== undefined && role !== member.role) change.mutate(role);
  };
  return (
    <Select
      aria-label={`Role of ${member.email}`}
      variant="unstyled"
      allowDeselect={false}
      data={roles}
      value={change.isPending ? (change.variables ?? null) : member.role}
      onChange={choose}
    />
  );
}
