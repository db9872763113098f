import { Alert, Anchor, Button, Group, Text } from '@mantine/core';
import { useState } from 'react';
import { api } from '../../../client/api.ts';
import { CopyButton } from '../../../components/copy-button.tsx';
import { ErrorNotice } from '../../../components/error-notice.tsx';
import { usePlace } from '../../place.ts';

/** Opens the portal as the customer sees it, in a new window. The link works for an hour. */
export function useOpenPortal(applicationId: string) {
  const { workspace, environment } = usePlace();
  const [opened, setOpened] = useState<Opened>();
  const { mutate, isPending, error } = api.useMutation(
    'post',
    '/api/workspaces/{workspaceId}/applications/{applicationId}/portal-sessions',
    {
      onSuccess: ({ url }) => {
        if (url !== null) setOpened({ url, isShown: openWindow(url) });
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
  return { button, notice: <PortalNotice opened={opened} error={error} /> };
}

const LIFE_SECONDS = 3_600;

/** The link of the portal, and whether the browser opened it in a window. */
type Opened = { url: string; isShown: boolean };

/**
 * Opens an address in a new window without access to this one. Returns false if the browser blocked it; with the option
 * `noopener` that would be unknown.
 */
function openWindow(url: string): boolean {
  const opened = window.open('', '_blank');
  if (opened === null) return false;
  opened.opener = null;
  opened.location.replace(url);
  return true;
}

/** The portal's link, to give to the customer, and for browsers that block new windows. */
function PortalNotice({ opened, error }: { opened: Opened | undefined; error: unknown }) {
  if (error) return <ErrorNotice title="The portal was not opened" error={error} />;
  if (opened === undefined) return null;
  const { url, isShown } = opened;
  return (
    <Alert color={isShown ? 'blue' : 'yellow'}>
      <Group gap="sm">
        <Text size="sm">
          {isShown ? 'The portal is open in a new window.' : 'The browser blocked the new window.'} Its link works for
          an hour.
        </Text>
        <Anchor size="sm" href={url} target="_blank" rel="noopener noreferrer">
          {isShown ? 'Open again' : 'Open the portal'}
        </Anchor>
        <CopyButton value={url} what="the link" />
      </Group>
    </Alert>
  );
}
