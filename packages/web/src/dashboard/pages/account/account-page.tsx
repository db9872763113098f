import { Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { PageHeader } from '../../../components/page-header.tsx';
import { usePlace } from '../../place.ts';
import { meQuery } from '../../session.ts';
import { OwnInvitations, ownInvitationsQuery } from '../invitations/own-invitations.tsx';
import { Setting } from '../settings/setting.tsx';
import { ChangePassword } from './change-password.tsx';
import { ProveAddress } from './prove-address.tsx';
import { SecondFactor } from './second-factor.tsx';
import { Sessions } from './sessions.tsx';
import { SignInProvider } from './sign-in-provider.tsx';

/** The settings of the user that do not belong to a workspace. */
export function AccountPage() {
  const { user } = usePlace();
  const { data } = useQuery(meQuery());
  const invitations = useQuery(ownInvitationsQuery());
  return (
    <>
      <PageHeader title="Account" line={`You are logged in as ${user.email}.`} />
      <Stack gap="md" maw={860}>
        <ProveAddress />
        {invitations.data?.length ? (
          <Setting title="Invitations" sentence="You become a member of a workspace only if you accept.">
            <OwnInvitations />
          </Setting>
        ) : null}
        {data?.passwordLogin === false ? null : <ChangePassword />}
        <SecondFactor />
        {data?.provider ? <SignInProvider {...data.provider} /> : null}
        <Sessions />
      </Stack>
    </>
  );
}
