import { Button, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { api } from '../../../client/api.ts';
import { ErrorNotice } from '../../../components/error-notice.tsx';
import { meQuery } from '../../session.ts';
import { Setting } from '../settings/setting.tsx';

/** Offers a mail with a link to users whose address is not proved yet. Empty for others. */
export function ProveAddress() {
  const me = useQuery(meQuery()).data;
  if (me === undefined || me.isAddressProven || !me.sendsMail || !me.passwordLogin) return null;
  return <AskForLink email={me.user.email} />;
}

function AskForLink({ email }: { email: string }) {
  const ask = api.useMutation('post', '/api/auth/forgot-password');
  return (
    <Setting
      title="Prove your address"
      sentence="Until then you can set up no second factor, and you are mailed no alerts unless you confirm each rule."
    >
      <Stack gap="sm" align="flex-start">
        {ask.isSuccess ? (
          <Text size="sm" role="status">
            A mail with a link is on its way to {email}. It works once, within 24 hours.
          </Text>
        ) : (
          <>
            <Text size="sm">
              A mail has a link with which you set a new password. Your sessions and every other way to sign in to this
              account then end, so that nobody else who made the account or knew its password keeps a way in.
            </Text>
            {ask.error ? <ErrorNotice title="No mail was sent" error={ask.error} /> : null}
            <Button size="sm" onClick={() => ask.mutate({ body: { email } })} loading={ask.isPending}>
              Mail me the link
            </Button>
          </>
        )}
      </Stack>
    </Setting>
  );
}
