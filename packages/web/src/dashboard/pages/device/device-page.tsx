import { Alert, Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { api } from '../../../client/api.ts';
import { ErrorNotice } from '../../../components/error-notice.tsx';
import { Fact } from '../../../components/fact.tsx';
import { Form, FormRefusal } from '../../../components/form.tsx';
import { usePageTitle } from '../../../components/page-header.tsx';
import { CardPage } from '../../card-page.tsx';

/** Confirms the login of a command line. `posthorn login` shows the code. */
export function DevicePage() {
  usePageTitle('Log in a device');
  const { code } = getRouteApi('/device').useSearch();
  const [typed, setTyped] = useState(code ?? '');
  const verify = api.useMutation('post', '/api/auth/device-logins/verify');
  const { mutate: look } = verify;
  useEffect(() => {
    if (code !== undefined) look({ body: { userCode: code } });
  }, [code, look]);
  return (
    <CardPage title="Log in a device" width={440}>
      {verify.data === undefined ? (
        <Form error={verify.error} onSubmit={() => look({ body: { userCode: typed } })}>
          <Stack gap="md">
            <TextInput
              label="Code"
              description="posthorn login shows it in your terminal."
              placeholder="BCDF-GHJK"
              autoComplete="off"
              autoFocus
              required
              withAsterisk={false}
              value={typed}
              onChange={({ currentTarget }) => setTyped(currentTarget.value)}
            />
            <FormRefusal title="No device waits with this code" />
            <Button type="submit" size="sm" loading={verify.isPending}>
              Continue
            </Button>
          </Stack>
        </Form>
      ) : (
        <Answer code={typed} device={verify.data} />
      )}
    </CardPage>
  );
}

type Device = { name: string; address: string; isOwnNetwork: boolean };

function Answer({ code, device }: { code: string; device: Device }) {
  const approve = api.useMutation('post', '/api/auth/device-logins/approve');
  const refuse = api.useMutation('post', '/api/auth/device-logins/refuse');
  const error = approve.error ?? refuse.error;
  const body = { userCode: code };
  if (approve.isSuccess) return <Text role="status">“{device.name}” is logged in. You can close this page.</Text>;
  if (refuse.isSuccess) return <Text role="status">“{device.name}” was refused. You can close this page.</Text>;
  return (
    <Stack gap="md">
      <Text size="sm">Does your terminal show this code?</Text>
      <Text fz="xl" fw={600} ff="monospace" aria-label="Code">
        {code.toUpperCase()}
      </Text>
      <Fact name="Device">{device.name}</Fact>
      <Fact name="Address">{device.isOwnNetwork ? `${device.address}, like yours` : device.address}</Fact>
      <Alert color="yellow" variant="light" title="Only confirm a code from your own terminal">
        <Text size="sm">
          A code that somebody sent you gives that person your access for 30 days.
          {device.isOwnNetwork ? '' : ' This device is not in your network.'}
        </Text>
      </Alert>
      {error ? <ErrorNotice title="The device was not answered" error={error} /> : null}
      <Group gap="sm">
        <Button size="sm" onClick={() => approve.mutate({ body })} loading={approve.isPending}>
          Log it in as me
        </Button>
        <Button variant="default" size="sm" onClick={() => refuse.mutate({ body })} loading={refuse.isPending}>
          Refuse
        </Button>
      </Group>
    </Stack>
  );
}
