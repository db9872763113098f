import { Code, SimpleGrid, Stack, Table, Text } from '@mantine/core';
import type { AuditEntry } from '../../../client/resources.ts';
import { Fact } from '../../../components/fact.tsx';
import { Id } from '../../../components/id.tsx';
import { SideSheet } from '../../../components/side-sheet.tsx';
import { utcWords } from '../../../components/time-words.ts';
import { AuditResource } from './audit-resource.tsx';
import { ACTORS } from './audit-search.ts';

/** All details of an entry: the values before and after the change, the actor, and the origin. */
export function AuditEntrySheet({ entry, onClose }: { entry: AuditEntry | null; onClose: () => void }) {
  return (
    <SideSheet opened={entry !== null} onClose={onClose} title={entry?.action ?? ''}>
      {entry === null ? null : <Details entry={entry} />}
    </SideSheet>
  );
}

function Details({ entry }: { entry: AuditEntry }) {
  const { metadata } = entry;
  return (
    <Stack gap="md">
      <SimpleGrid cols={2} spacing="sm">
        <Fact name="Time">{utcWords(entry.createdAt)}</Fact>
        <Fact name={ACTORS[entry.actorType]}>{entry.actorLabel || 'erased'}</Fact>
        <Fact name="Resource">
          <AuditResource entry={entry} />
        </Fact>
        <Fact name="Address">{metadata.ip ?? '–'}</Fact>
        <Fact name="Request">{metadata.requestId === null ? '–' : <Id value={metadata.requestId} />}</Fact>
        <Fact name="Program">{metadata.userAgent ?? '–'}</Fact>
      </SimpleGrid>
      <Changes changes={metadata.changes} />
    </Stack>
  );
}

function Changes({ changes }: Pick<AuditEntry['metadata'], 'changes'>) {
  const rows = Object.entries(changes);
  if (rows.length === 0) {
    return (
      <Text size="sm" c="dimmed">
        No field changed.
      </Text>
    );
  }
  return (
    <Table fz="sm" verticalSpacing={6} layout="fixed">
      <Table.Thead>
        <Table.Tr>
          <Table.Th>Field</Table.Th>
          <Table.Th>Before</Table.Th>
          <Table.Th>After</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {rows.map(([field, { from, to }]) => (
          <Table.Tr key={field}>
            <Table.Td style={{ overflowWrap: 'anywhere' }}>{field}</Table.Td>
            <Value value={from} state="failed" />
            <Value value={to} state="delivered" />
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}

function Value({ value, state }: { value: unknown; state: 'failed' | 'delivered' }) {
  if (value === null || value === undefined) return <Table.Td c="dimmed">–</Table.Td>;
  return (
    <Table.Td style={{ overflowWrap: 'anywhere' }}>
      <Code style={{ background: `var(--${state}-tint)`, color: `var(--${state}-ink)`, whiteSpace: 'pre-wrap' }}>
        {typeof value === 'string' ? value : JSON.stringify(value)}
      </Code>
    </Table.Td>
  );
}
