import { Box, Button, EmptyState, Stack, Title } from '@mantine/core';
import { usePageTitle } from '../../../components/page-header.tsx';
import { useLogOut } from '../../frame/use-log-out.ts';
import { OwnInvitations } from '../invitations/own-invitations.tsx';
import { NewWorkspaceForm } from './new-workspace-form.tsx';

/** The page for a user who is not a member of any workspace. */
export function NoWorkspacePage() {
  usePageTitle('No workspace');
  const logOut = useLogOut();
  return (
    <EmptyState
      p="xl"
      maw={640}
      mx="auto"
      title={<Title order={1}>You are not a member of any workspace</Title>}
      description="Create a workspace, or ask an owner or an admin of one to invite you."
    >
      <Stack w="100%" maw={420}>
        <OwnInvitations />
        <NewWorkspaceForm />
        <Box>
          <Button variant="subtle" onClick={logOut}>
            Log out
          </Button>
        </Box>
      </Stack>
    </EmptyState>
  );
}
