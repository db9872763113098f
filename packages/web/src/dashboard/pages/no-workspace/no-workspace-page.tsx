import { Box, EmptyState, Title } from '@mantine/core';
import { NewWorkspaceForm } from './new-workspace-form.tsx';

/** For a user who is a member of no workspace. */
export function NoWorkspacePage() {
  return (
    <EmptyState
      p="xl"
      maw={640}
      mx="auto"
      title={<Title order={1}>You are a member of no workspace</Title>}
      description="Create a workspace, or ask an owner or an admin of one to invite you."
    >
      <Box w="100%" maw={420}>
        <NewWorkspaceForm />
      </Box>
    </EmptyState>
  );
}
