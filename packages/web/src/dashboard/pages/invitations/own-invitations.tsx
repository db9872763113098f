import { Button, Group, Stack, Text } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { api, client } from '../../../client/api.ts';
import { ErrorNotice } from '../../../components/error-notice.tsx';
import { RelativeTime } from '../../../components/relative-time.tsx';
import { workspacesQuery } from '../../place.ts';

/** The open invitations to the user's proven addresses. */
export const ownInvitationsQuery = () => api.queryOptions('get', '/api/auth/invitations');

type Answer = { invitationId: string; accepts: boolean };

/** Each invitation, with buttons to accept or decline it. None is accepted automatically. */
export function OwnInvitations() {
  const queryClient = useQueryClient();
  const router = useRouter();
  const invitations = useQuery(ownInvitationsQuery());
  const answer = useMutation({
    mutationFn: async ({ invitationId, accepts }: Answer) => {
      const params = { path: { invitationId } };
      if (accepts) await client.POST('/api/auth/invitations/{invitationId}/accept', { params });
      else await client.POST('/api/auth/invitations/{invitationId}/decline', { params });
    },
    onSettled: async () => {
      queryClient.removeQueries({ queryKey: workspacesQuery().queryKey });
      await queryClient.invalidateQueries({ queryKey: ownInvitationsQuery().queryKey });
      // The page of those without a workspace leads on to the first one.
      await router.invalidate();
    },
  });
  return (
    <Stack gap="md">
      {invitations.error ? <ErrorNotice title="Your invitations could not be read" error={invitations.error} /> : null}
      {answer.error ? <ErrorNotice title="The invitation was not answered" error={answer.error} /> : null}
      {invitations.data?.map(({ id, workspaceName, role, email, createdAt }) => (
        <Group key={id} justify="space-between" gap="sm" wrap="nowrap">
          <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
            <b>“{workspaceName}”</b> invited {email} as {role}, <RelativeTime at={createdAt} />.
          </Text>
          <Group gap="xs" wrap="nowrap">
            <Button
              size="compact-sm"
              aria-label={`Accept the invitation to ${workspaceName}`}
              loading={answer.isPending}
              onClick={() => answer.mutate({ invitationId: id, accepts: true })}
            >
              Accept
            </Button>
            <Button
              size="compact-sm"
              variant="default"
              aria-label={`Decline the invitation to ${workspaceName}`}
              loading={answer.isPending}
              onClick={() => answer.mutate({ invitationId: id, accepts: false })}
            >
              Decline
            </Button>
          </Group>
        </Group>
      ))}
    </Stack>
  );
}
