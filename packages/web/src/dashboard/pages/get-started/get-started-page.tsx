import { Alert, Grid, Skeleton, Stack } from '@mantine/core';
import { PageHeader } from '../../../components/page-header.tsx';
import { usePlace } from '../../place.ts';
import { mayChange } from '../../role.ts';
import { Inbox } from './inbox.tsx';
import { Steps } from './steps.tsx';
import { TokenOfCommands } from './token-of-commands.tsx';
import { useGetStarted } from './use-get-started.ts';

/** Five steps, from an empty workspace to an event that failed twice and was then delivered. */
export function GetStartedPage() {
  const place = usePlace();
  const state = useGetStarted();
  return (
    <>
      <PageHeader
        title="Get started"
        line={`Send an event in ${place.environment.name} and watch it arrive. Each step is a button, or a command to paste.`}
      />
      {mayChange(place) ? null : <Alert mb="md">A viewer may look, but not take these steps.</Alert>}
      <Grid gap="md">
        <Grid.Col span={{ base: 12, lg: 8 }}>
          {state.isLoading ? (
            <Skeleton height={320} />
          ) : (
            <Stack gap="sm">
              <Stack component="ol" gap="sm" p={0} m={0} style={{ listStyle: 'none' }}>
                <Steps state={state} />
              </Stack>
              <TokenOfCommands token={state.token} onToken={state.setToken} />
            </Stack>
          )}
        </Grid.Col>
        <Grid.Col span={{ base: 12, lg: 4 }}>
          <Inbox deliveries={state.inbox} isOpen={state.endpoint !== undefined} />
        </Grid.Col>
      </Grid>
    </>
  );
}
