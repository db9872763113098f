import { Button, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { api } from '../../../client/api.ts';
import { ErrorNotice } from '../../../components/error-notice.tsx';
import { usePageTitle } from '../../../components/page-header.tsx';
import { CardPage } from '../../card-page.tsx';

/** The page behind the last link of an alert mail. It needs a click, because programs also open links. */
export function StopAlertsPage() {
  usePageTitle('Stop alerts');
  const [token] = useState(() => new URLSearchParams(window.location.search).get('token') ?? '');
  const stop = api.useMutation('post', '/api/auth/stop-alerts');
  return (
    <CardPage title="Alerts by mail">
      {stop.isSuccess ? (
        <Text size="sm" role="status">
          You get no more mails of this alert rule. Nobody can switch them on again without asking you.
        </Text>
      ) : (
        <Stack gap="md">
          <Text size="sm">Do you want to stop the alert mails of this rule?</Text>
          {stop.error ? <ErrorNotice title="The mails were not stopped" error={stop.error} /> : null}
          <Button size="sm" onClick={() => stop.mutate({ body: { token } })} loading={stop.isPending}>
            Stop these mails
          </Button>
        </Stack>
      )}
    </CardPage>
  );
}
