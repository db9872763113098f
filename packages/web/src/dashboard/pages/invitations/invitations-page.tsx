import { Box, Button, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, useRouter } from '@tanstack/react-router';
import { usePageTitle } from '../../../components/page-header.tsx';
import { OwnInvitations, ownInvitationsQuery } from './own-invitations.tsx';

/** The page after a sign-in with the provider, if invitations await an answer. */
export function InvitationsPage() {
  usePageTitle('Invitations');
  const { returnTo } = getRouteApi('/invitations').useSearch();
  const router = useRouter();
  const { data } = useQuery(ownInvitationsQuery());
  return (
    <Box component="main" mih="100dvh" p="md" bg="var(--surface)">
      <Stack gap="md" maw={640} mx="auto" pt="xl">
        <Title order={1}>Your invitations</Title>
        <Text size="sm" role="status">
          {data?.length === 0
            ? 'No invitation waits for your answer.'
            : 'You become a member of a workspace only if you accept. Decline what you do not know.'}
        </Text>
        <OwnInvitations />
        <Box>
          <Button
            variant={data?.length === 0 ? 'filled' : 'default'}
            size="sm"
            onClick={() => router.history.push(returnTo)}
          >
            Continue
          </Button>
        </Box>
      </Stack>
    </Box>
  );
}
