import { Alert, Button, Group, Loader, Stack, Table, Text, Title } from '@mantine/core';
import { api } from '../../../client/api.ts';
import type { DoctorReport } from '../../../client/resources.ts';
import { DurationText } from '../../../components/duration-text.tsx';
import { ErrorNotice } from '../../../components/error-notice.tsx';
import { usePlace } from '../../place.ts';
import { CheckGlyph } from './check-glyph.tsx';

type Check = DoctorReport['checks'][number];

const CHECK_WORDS: Record<Check['name'], string> = {
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

const VERDICTS = {
  healthy: { color: 'green', words: 'Nothing has to change.' },
  warning: { color: 'yellow', words: 'It works, with something to mend.' },
  broken: { color: 'red', words: 'Something is broken.' },
} as const;

/** Examines the endpoint from the name look-up to the signature check, and says what to change. */
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
        Ten checks with at most three requests, within a minute. They change no status and no health.
      </Text>
      {examine.isPending ? <Loader size="sm" /> : null}
      {examine.error ? <ErrorNotice title="The endpoint was not examined" error={examine.error} /> : null}
      {examine.data === undefined ? null : <Report report={examine.data} />}
    </Stack>
  );
}

function Report({ report }: { report: DoctorReport }) {
  const { color, words } = VERDICTS[report.verdict];
  return (
    <Stack gap="sm">
      <Alert color={color} title={words} />
      <Table aria-label="Checks" verticalSpacing={8} layout="fixed">
        <Table.Tbody>
          {report.checks.map((check) => (
            <CheckRow key={check.name} check={check} />
          ))}
        </Table.Tbody>
      </Table>
      <Text size="xs" c="dimmed">
        All of it took <DurationText ms={report.durationMs} />.
      </Text>
    </Stack>
  );
}

function CheckRow({ check: { name, outcome, detail, advice, durationMs } }: { check: Check }) {
  return (
    <Table.Tr>
      <Table.Td w={26} valign="top">
        <CheckGlyph outcome={outcome} />
      </Table.Td>
      <Table.Td style={{ overflowWrap: 'anywhere' }}>
        <Text size="sm" fw={500}>
          {CHECK_WORDS[name]}
        </Text>
        <Text size="sm" c="dimmed">
          {detail}
        </Text>
        {advice === null ? null : <Text size="sm">{advice}</Text>}
      </Table.Td>
      <Table.Td w={90} valign="top" ta="right">
        {outcome === 'skipped' ? null : <DurationText ms={durationMs} />}
      </Table.Td>
    </Table.Tr>
  );
}
