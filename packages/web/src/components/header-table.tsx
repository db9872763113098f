import { Box, Group, Table } from '@mantine/core';
import { CopyButton } from './copy-button.tsx';

/** The headers of a request or a response, as text. */
export function HeaderTable({ headers }: { headers: Readonly<Record<string, unknown>> }) {
  // A value is a string, or an array of strings for a header that was sent more than once.
  const rows = Object.entries(headers).flatMap(([name, value]) =>
    [value].flat().map((one) => [name, String(one)] as const),
  );
  return (
    <Box style={{ overflowX: 'auto' }}>
      <Table withRowBorders={false} verticalSpacing={2} horizontalSpacing={0} layout="fixed" className="mono">
        <Table.Tbody>
          {rows.map(([name, value], index) => (
            <Table.Tr key={`${name} ${index}`}>
              <Table.Td w={{ base: 130, sm: 180 }} valign="top" pr="sm" style={{ overflowWrap: 'anywhere' }}>
                <span className="soft">{name}</span>
              </Table.Td>
              <Table.Td valign="top">
                <Group gap={6} wrap="nowrap" align="flex-start">
                  <span style={{ overflowWrap: 'anywhere', minWidth: 0 }}>{value}</span>
                  <CopyButton value={value} what={name} />
                </Group>
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Box>
  );
}
