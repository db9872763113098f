import { Button, Select, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQuery } from '@tanstack/react-query';
import { client } from '../../../client/api.ts';
import type { Member, Role } from '../../../client/resources.ts';
import { CodeBlock } from '../../../components/code-block.tsx';
import { ErrorNotice } from '../../../components/error-notice.tsx';
import { Form, FormField, FormRefusal } from '../../../components/form.tsx';
import { SecretOnce } from '../../../components/secret-once.tsx';
import { SideSheet } from '../../../components/side-sheet.tsx';
import { usePlace } from '../../place.ts';
import { meQuery } from '../../session.ts';
import { membersQuery } from './access-queries.ts';
import { rolesToGive } from './roles-to-give.ts';
import { useAccessChange } from './use-access-change.ts';

/** Invites a person by email address. Without a mail server, the link is shown once. */
export function InviteSheet({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  return (
    <SideSheet opened={opened} onClose={onClose} title="Invite a person">
      {opened ? <Invite onDone={onClose} /> : null}
    </SideSheet>
  );
}

function Invite({ onDone }: { onDone: () => void }) {
  const place = usePlace();
  const roles = rolesToGive(place);
  const ways = useWays();
  const form = useForm({ initialValues: { email: '', role: 'member' as Role } });
  const params = { path: { workspaceId: place.workspace.id } };
  const invite = useAccessChange(
    membersQuery(place).queryKey,
    (body: { email: string; role: Role }) => client.POST('/api/workspaces/{workspaceId}/members', { params, body }),
    { isToldElsewhere: true, afterClose: ({ data }, sent) => linkNotShown(ways, data, sent.email) },
  );
  const token = invite.data?.data?.setPasswordToken;
  if (invite.data !== undefined) return <Invited token={token} email={form.values.email} onDone={onDone} />;
  return (
    <Form draft={form} error={invite.error} onSubmit={() => invite.mutate(form.values)}>
      <Stack gap="md">
        <FormField of="email">
          <TextInput label="Email" type="email" required data-autofocus />
        </FormField>
        <FormField of="role">
          <Select label="Role" size="sm" allowDeselect={false} data={roles} />
        </FormField>
        <FormRefusal title="The person was not invited" />
        <Text size="xs" c="dimmed">
          {hintOf(ways)}
        </Text>
        <Button type="submit" size="sm" loading={invite.isPending}>
          Invite
        </Button>
      </Stack>
    </Form>
  );
}

/** Makes a new link for an invited person. The earlier link no longer works. */
export function ReinviteSheet({ member, onClose }: { member: Member | null; onClose: () => void }) {
  return (
    <SideSheet opened={member !== null} onClose={onClose} title="Invite again">
      {member === null ? null : <Reinvite member={member} onDone={onClose} />}
    </SideSheet>
  );
}

function Reinvite({ member, onDone }: { member: Member; onDone: () => void }) {
  const place = usePlace();
  const ways = useWays();
  const path = { workspaceId: place.workspace.id, userId: member.userId };
  const invite = useAccessChange(
    membersQuery(place).queryKey,
    () => client.POST('/api/workspaces/{workspaceId}/members/{userId}/reinvite', { params: { path } }),
    { isToldElsewhere: true, afterClose: ({ data }) => linkNotShown(ways, data, member.email) },
  );
  const token = invite.data?.data?.setPasswordToken;
  if (invite.data !== undefined) return <Invited token={token} email={member.email} onDone={onDone} />;
  return (
    <Stack gap="md">
      <Text size="sm">
        {ways.passwordLogin
          ? `A new link is made for ${member.email}. The former one no longer works.`
          : `The invitation of ${member.email} is valid for another 7 days.`}
      </Text>
      {invite.error ? <ErrorNotice title="The person was not invited" error={invite.error} /> : null}
      <Button size="sm" onClick={() => invite.mutate(undefined)} loading={invite.isPending}>
        {ways.passwordLogin ? 'Make a new link' : 'Invite again'}
      </Button>
    </Stack>
  );
}

/**
 * Whether this installation mails links, and how people sign in. The answer is already in the cache: the frame needs
 * it.
 */
function useWays(): Ways {
  const { data } = useQuery(meQuery());
  return {
    sendsMail: data?.sendsMail ?? false,
    passwordLogin: data?.passwordLogin ?? true,
    provider: data?.provider?.name ?? 'the provider',
  };
}
type Ways = { sendsMail: boolean; passwordLogin: boolean; provider: string };

function hintOf({ sendsMail, passwordLogin, provider }: Ways): string {
  if (!passwordLogin) return `The person signs in with ${provider}, under this address.`;
  return sendsMail
    ? 'The person gets a mail with a link. Nobody else sees it.'
    : 'This installation sends no mail. You get a link to pass on.';
}

/**
 * Advice about a link that nobody has seen; null if none is needed, because the person has a password or a provider.
 */
function linkNotShown(
  { passwordLogin }: Ways,
  answer: { setPasswordToken?: string | null } | undefined,
  email: string,
): string | null {
  if (!passwordLogin || typeof answer?.setPasswordToken !== 'string') return null;
  return `${email} was invited, but the link was not shown. Invite the person again to get another link.`;
}

type InvitedProps = { token: string | null | undefined; email: string; onDone: () => void };

/** The link to pass on if it is not mailed. The token is in the fragment, which browsers do not send. */
function Invited({ token, email, onDone }: InvitedProps) {
  const { sendsMail, passwordLogin, provider } = useWays();
  if (!passwordLogin) {
    return (
      <Stack gap="md">
        <Text size="sm">
          {email} is asked about the invitation at a sign-in with {provider} within 7 days.{' '}
          {sendsMail ? 'A mail that says so is on its way.' : 'Tell the person: this installation sends no mail.'}
        </Text>
        <CodeBlock text={`${window.location.origin}/login`} what="the address" />
        <Button size="sm" onClick={onDone}>
          Done
        </Button>
      </Stack>
    );
  }
  if (typeof token !== 'string') {
    return (
      <Stack gap="md">
        <Text size="sm" role="status">
          A mail with a link is on its way to {email}. The link is good for one use within 7 days.
        </Text>
        <Button size="sm" onClick={onDone}>
          Done
        </Button>
      </Stack>
    );
  }
  return (
    <SecretOnce
      secret={`${window.location.origin}/set-password#token=${token}`}
      what="the link"
      sentence="Pass it on to the person. It is good for one use within 7 days."
      onDone={onDone}
    />
  );
}
