import { Box, EmptyState, Title } from '@mantine/core';
import { type ErrorComponentProps, useRouter } from '@tanstack/react-router';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { ButtonLink } from '../../components/links.tsx';
import { usePageTitle } from '../../components/page-header.tsx';

/** Shown when a page failed: what happened, the request id, and a button to try again. The frame around it stays. */
export function PageError({ error, reset }: ErrorComponentProps) {
  const router = useRouter();
  usePageTitle('Error');
  const retry = () => {
    reset();
    void router.invalidate();
  };
  return (
    <Box p="lg" maw={720}>
      <ErrorNotice title="This page could not be shown" error={error} onRetry={retry} />
    </Box>
  );
}

export function NotFound() {
  usePageTitle('Not found');
  return (
    <EmptyState
      p="xl"
      title={<Title order={1}>There is no such page</Title>}
      description="The address may be mistyped. Or the page was deleted, or belongs to a workspace that you are not a member of."
    >
      <EmptyState.Actions>
        <ButtonLink to="/">Go to the start</ButtonLink>
      </EmptyState.Actions>
    </EmptyState>
  );
}
