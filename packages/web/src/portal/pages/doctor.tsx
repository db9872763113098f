import { Alert, Button, Group, List, Stack, Text, Title } from '@mantine/core';
import { api } from '../../client/api.ts';
import { ErrorNotice } from '../../components/error-notice.tsx';
import type { components } from '../../generated/api.ts';

type Report = components['schemas']['DoctorReport'];
type Check = Report['checks'][number];

const CHECKS: Record<Check['name'], string> = {
  dns: 'Name',
  tcp: 'Connection',
  tls: 'TLS handshake',
  certificate: 'Certificate',
  http: 'Answer',
  redirect: 'No redirect',
  latency: 'Speed',
  signature: 'Refuses a wrong signature',
  replay: 'Refuses an old request',
  body: 'Short answer',
};

const OUTCOMES: Record<Check['outcome'], string> = { pass: '✓', warn: '▲', fail: '✕', skipped: '–' };

const VERDICTS = {
  healthy: { color: 'green', title: 'Nothing has to change.' },
  warning: { color: 'yellow', title: 'It works, with something to mend.' },
  broken: { color: 'red', title: 'Something is broken.' },
};

/** Examines the endpoint from its name to its signature check, and says what to change. */
export function Doctor({ endpointId }: { endpointId: string }) {
  const examine = api.useMutation('post', '/api/portal/endpoints/{id}/doctor');
  return (
    <Stack gap="md" component="section" aria-label="Examine your endpoint">
      <Group justify="space-between">
        <Title order={2}>Examine your endpoint</Title>
        <Button
          variant="default"
          loading={examine.isPending}
          onClick={() => examine.mutate({ params: { path: { id: endpointId } } })}
        >
          Examine
        </Button>
      </Group>
      <Text size="sm" c="dimmed">
        Ten checks with at most three requests, within a minute.
      </Text>
      {examine.error ? <ErrorNotice title="The endpoint was not examined" error={examine.error} /> : null}
      {examine.data === undefined ? null : <Result report={examine.data} />}
    </Stack>
  );
}

function Result({ report }: { report: Report }) {
  return (
    <Stack gap="sm">
      <Alert {...VERDICTS[report.verdict]} />
      <List spacing="sm" size="sm" listStyleType="none">
        {report.checks.map(({ name, outcome, detail, advice }) => (
          <List.Item
            key={name}
            icon={
              <span role="img" aria-label={outcome}>
                {OUTCOMES[outcome]}
              </span>
            }
          >
            <Text size="sm" fw={500}>
              {CHECKS[name]}
            </Text>
            <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
              {detail}
            </Text>
            {advice === null ? null : <Text size="sm">{advice}</Text>}
          </List.Item>
        ))}
      </List>
    </Stack>
  );
}
