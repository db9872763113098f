import { Button, Center, Paper, Stack, Text, Title } from '@mantine/core';
import { useState } from 'react';
import { api } from '../../../client/api.ts';
import { ErrorNotice } from '../../../components/error-notice.tsx';
import { usePageTitle } from '../../../components/page-header.tsx';

/** Where the link of a mail leads: the holder of the address accepts the messages. A program that opens links presses no button. */
export function ConfirmAlertsPage() {
  usePageTitle('Confirm alerts');
  const [token] = useState(() => new URLSearchParams(window.location.hash.slice(1)).get('token') ?? '');
  const verify = api.useMutation('post', '/api/auth/verify-alert-target');
  return (
    <Center mih="100dvh" p="md" bg="var(--surface)">
      <Paper withBorder p="xl" w="100%" maw={380} bg="var(--surface-raised)">
        <Title order={1} mb="lg">
          Alerts by mail
        </Title>
        {verify.data === undefined ? (
          <Stack gap="md">
            <Text size="sm">Somebody entered your address for alerts about webhook endpoints. Do you want them?</Text>
            {verify.error ? <ErrorNotice title="The address was not confirmed" error={verify.error} /> : null}
            <Button size="sm" onClick={() => verify.mutate({ body: { token } })} loading={verify.isPending}>
              Yes, mail me
            </Button>
          </Stack>
        ) : (
          <Text size="sm" role="status">
            You get the alerts of “{verify.data.name}” of {verify.data.workspaceName} from now on.
          </Text>
        )}
      </Paper>
    </Center>
  );
}
