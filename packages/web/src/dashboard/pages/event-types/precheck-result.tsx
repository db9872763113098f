import { Alert, Stack, Text, Title } from '@mantine/core';
import type { Precheck } from '../../../client/resources.ts';
import { AddressLine } from '../../customer-name.tsx';
import { SkippedGroups } from '../../trace/skipped-groups.tsx';

const MAX_SHOWN = 100;

type Entry = Precheck['endpoints'][number];

/** The matching endpoints, those that depend on a payload, and the skipped ones by reason. */
export function PrecheckResult({ precheck, eventTypeName }: { precheck: Precheck; eventTypeName: string }) {
  const { published, truncated, endpoints } = precheck;
  const of = (decision: Entry['decision']) => endpoints.filter((entry) => entry.decision === decision);
  const skipped = of('skipped');
  if (endpoints.length === 0) return <Alert>The environment has no endpoint.</Alert>;
  return (
    <Stack gap="md">
      {published ? null : <Alert color="yellow">The type is not published in this environment.</Alert>}
      {truncated ? (
        <Alert color="yellow">
          The environment has more endpoints than the {endpoints.length.toLocaleString('en')} that were checked.
        </Alert>
      ) : null}
      <Part title="Would get it" entries={of('matched')} none="No endpoint would get it." />
      <Part title="Depend on the payload" entries={of('depends')} />
      {skipped.length === 0 ? null : (
        <Stack gap="sm">
          <Title order={3}>Would be skipped</Title>
          <SkippedGroups entries={skipped} eventTypeName={eventTypeName} isPartial={truncated} />
        </Stack>
      )}
    </Stack>
  );
}

function Part({ title, entries, none }: { title: string; entries: readonly Entry[]; none?: string }) {
  if (entries.length === 0) return none === undefined ? null : <Text size="sm">{none}</Text>;
  const rest = entries.length - MAX_SHOWN;
  return (
    <Stack gap="xs">
      <Title order={3}>
        {title} · {entries.length.toLocaleString('en')}
      </Title>
      {entries.slice(0, MAX_SHOWN).map(({ endpointId, url }) => (
        <AddressLine key={endpointId} id={endpointId} url={url} />
      ))}
      {rest > 0 ? <Text size="sm">and {rest.toLocaleString('en')} more</Text> : null}
    </Stack>
  );
}
