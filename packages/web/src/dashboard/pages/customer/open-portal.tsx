import { Alert, Anchor, Button, Group, Text } from '@mantine/core';
import { useState } from 'react';
import { api } from '../../../client/api.ts';
import { CopyButton } from '../../../components/copy-button.tsx';
import { ErrorNotice } from '../../../components/error-notice.tsx';
import { usePlace } from '../../place.ts';

/** Opens the portal as the customer sees it, in a new window. The link is good for an hour. */
export function useOpenPortal(applicationId: string) {
  const { workspace, environment } = usePlace();
  const [url, setUrl] = useState<string>();
  const { mutate, isPending, error } = api.useMutation(
    'post',
    '/api/workspaces/{workspaceId}/applications/{applicationId}/portal-sessions',
    {
      onSuccess: (session) => {
        setUrl(session.url);
        window.open(session.url, '_blank', 'noopener');
      },
    },
  );
  const open = () =>
    mutate({
      params: { path: { workspaceId: workspace.id, applicationId } },
      body: { environmentId: environment.id, expiresInSeconds: LIFE_SECONDS },
    });
  const button = (
    <Button onClick={open} loading={isPending}>
      Open portal as this customer
    </Button>
  );
  return { button, notice: <PortalNotice url={url} error={error} /> };
}

const LIFE_SECONDS = 3_600;

/** The link, for a browser that opens no window by itself, and to give to the customer. */
function PortalNotice({ url, error }: { url: string | undefined; error: unknown }) {
  if (error) return <ErrorNotice title="The portal was not opened" error={error} />;
  if (url === undefined) return null;
  return (
    <Alert>
      <Group gap="sm">
        <Text size="sm">The portal is open in a new window. Its link works for an hour.</Text>
        <Anchor size="sm" href={url} target="_blank" rel="noopener noreferrer">
          Open again
        </Anchor>
        <CopyButton value={url} what="the link" />
      </Group>
    </Alert>
  );
}
