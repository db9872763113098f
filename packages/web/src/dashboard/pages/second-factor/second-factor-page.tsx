import { Box, Button, Stack, Text, Title } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, useRouter } from '@tanstack/react-router';
import { usePageTitle } from '../../../components/page-header.tsx';
import { useLogOut } from '../../frame/use-log-out.ts';
import { secondFactorQuery } from '../account/account-queries.ts';
import { ProveAddress } from '../account/prove-address.tsx';
import { SecondFactor } from '../account/second-factor.tsx';

/** For a person whose workspace requires a second factor. They cannot do anything there before they have set one up. */
export function SecondFactorPage() {
  usePageTitle('Set up a second factor');
  const { returnTo } = getRouteApi('/second-factor').useSearch();
  const router = useRouter();
  const queryClient = useQueryClient();
  const logOut = useLogOut();
  const { data } = useQuery(secondFactorQuery());
  const names = data?.requiredBy ?? [];
  const goOn = () => {
    queryClient.clear();
    router.history.push(returnTo);
  };
  return (
    <Box component="main" mih="100dvh" p="md" bg="var(--surface)">
      <Stack gap="md" maw={640} mx="auto" pt="xl">
        <Title order={1}>Set up a second factor</Title>
        <Text size="sm">
          {names.length === 0 ? 'Your workspace' : names.join(', ')} {names.length > 1 ? 'require' : 'requires'} one of
          every member. Set it up here, and you go on where you were.
        </Text>
        <ProveAddress />
        <SecondFactor onDone={goOn} />
        <Box>
          <Button variant="subtle" onClick={logOut}>
            Log out
          </Button>
        </Box>
      </Stack>
    </Box>
  );
}
