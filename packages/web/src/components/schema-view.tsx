import { SegmentedControl, Stack, Table, Text } from '@mantine/core';
import { useState } from 'react';
import { t } from '../language/language.ts';
import { CodeBlock } from './code-block.tsx';
import { schemaRows } from './schema-rows.ts';

/** A JSON Schema as a table of its properties, and as JSON. */
export function SchemaView({ schema, what }: { schema: Record<string, unknown>; what: string }) {
  const rows = schemaRows(schema);
  const [form, setForm] = useState('table');
  const json = <CodeBlock text={JSON.stringify(schema, null, 2)} what={what} />;
  if (rows.length === 0) return json;
  return (
    <Stack gap="xs">
      <SegmentedControl
        size="xs"
        w="fit-content"
        aria-label={t('Form')}
        value={form}
        onChange={setForm}
        data={[
          { value: 'table', label: t('Fields') },
          { value: 'json', label: 'JSON Schema' },
        ]}
      />
      {form === 'json' ? json : <Fields rows={rows} what={what} />}
    </Stack>
  );
}

function Fields({ rows, what }: { rows: ReturnType<typeof schemaRows>; what: string }) {
  return (
    <Table.ScrollContainer minWidth={320}>
      <Table aria-label={t('Fields of {what}', { what })} fz="sm">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t('Field')}</Table.Th>
            <Table.Th>{t('Type')}</Table.Th>
            <Table.Th>{t('Description')}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map(({ place, type, isRequired, description }) => (
            <Table.Tr key={place}>
              <Table.Td className="mono">{place}</Table.Td>
              <Table.Td>
                {type}{' '}
                {isRequired ? null : (
                  <Text span size="xs" c="dimmed" ml={6}>
                    {t('optional')}
                  </Text>
                )}
              </Table.Td>
              <Table.Td style={{ overflowWrap: 'anywhere' }}>{description}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}
