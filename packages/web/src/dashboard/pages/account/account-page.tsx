import { Stack } from '@mantine/core';
import { PageHeader } from '../../../components/page-header.tsx';
import { usePlace } from '../../place.ts';
import { ChangePassword } from './change-password.tsx';
import { SecondFactor } from './second-factor.tsx';
import { Sessions } from './sessions.tsx';

/** What belongs to the user and not to a workspace. */
export function AccountPage() {
  const { user } = usePlace();
  return (
    <>
      <PageHeader title="Account" line={`You are logged in as ${user.email}.`} />
      <Stack gap="md" maw={860}>
        <ChangePassword />
        <SecondFactor />
        <Sessions />
      </Stack>
    </>
  );
}
