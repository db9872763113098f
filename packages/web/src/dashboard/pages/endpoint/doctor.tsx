import { Button, Group, Loader, Stack, Text, Title } from '@mantine/core';
import { api } from '../../../client/api.ts';
import { DoctorReport } from '../../../components/doctor-report.tsx';
import { ErrorNotice } from '../../../components/error-notice.tsx';
import { TextLink } from '../../../components/links.tsx';
import { usePlace } from '../../place.ts';
import { moreAdvice } from './more-advice.ts';

/** Examines the endpoint, from the DNS lookup to the signature check, and advises on changes. */
export function Doctor({ endpointId }: { endpointId: string }) {
  const { workspace } = usePlace();
  const examine = api.useMutation('post', '/api/workspaces/{workspaceId}/endpoints/{id}/doctor');
  const start = () => examine.mutate({ params: { path: { workspaceId: workspace.id, id: endpointId } } });
  return (
    <Stack gap="md" component="section" aria-label="Doctor">
      <Group justify="space-between">
        <Title order={2}>Doctor</Title>
        <Button variant="default" loading={examine.isPending} onClick={start}>
          {examine.data === undefined ? 'Examine' : 'Examine again'}
        </Button>
      </Group>
      <Text size="sm" c="dimmed">
        Checks with at most three requests, within a minute. They change no status and no health.
      </Text>
      {examine.isPending ? <Loader size="sm" /> : null}
      {examine.error ? <ErrorNotice title="The endpoint was not examined" error={examine.error} /> : null}
      {examine.data === undefined ? null : (
        <DoctorReport
          report={examine.data}
          more={moreAdvice}
          code={
            <TextLink
              from="/w/$workspace/$environment"
              to="/w/$workspace/$environment/endpoints/$endpointId"
              params={{ endpointId }}
              search={{ tab: 'security' }}
            >
              Code that verifies a request
            </TextLink>
          }
        />
      )}
    </Stack>
  );
}
