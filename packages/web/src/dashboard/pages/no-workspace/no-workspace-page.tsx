import { EmptyState } from '@mantine/core';
import { CodeBlock } from '../../../components/code-block.tsx';

/** For a user who is a member of no workspace. */
export function NoWorkspacePage() {
  return (
    <EmptyState
      p="xl"
      maw={640}
      mx="auto"
      title="You are a member of no workspace"
      description="Ask an owner or an admin of a workspace to invite you, or let the operator create a workspace."
    >
      <CodeBlock text="posthorn-admin create-workspace" what="the command" />
    </EmptyState>
  );
}
