import { Button, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { api } from '../../../client/api.ts';
import { ErrorNotice } from '../../../components/error-notice.tsx';
import { usePageTitle } from '../../../components/page-header.tsx';
import { CardPage } from '../../card-page.tsx';

/**
 * The page behind the link of a mail: the address's owner accepts alerts. It needs a click, because programs also open
 * links.
 */
export function ConfirmAlertsPage() {
  usePageTitle('Confirm alerts');
  const [token] = useState(() => new URLSearchParams(window.location.hash.slice(1)).get('token') ?? '');
  const verify = api.useMutation('post', '/api/auth/verify-alert-target');
  return (
    <CardPage title="Alerts by mail">
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
    </CardPage>
  );
}
