import { Alert, Code, Stack, Table, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { client } from '../../../client/api.ts';
import { ApiError } from '../../../client/api-error.ts';
import { CheckGlyph } from '../../../components/check-glyph.tsx';
import { ErrorNotice } from '../../../components/error-notice.tsx';
import { prettyJson } from '../../../components/pretty-json.ts';
import { usePlace } from '../../place.ts';
import { lineOfRefusal } from './lines-of-clauses.ts';

const PAUSE_MS = 300;

/** Whether the sample matches, clause by clause; asked for when typing pauses. */
export function FilterResult(typed: { filter: string; payload: string }) {
  const [{ filter, payload }] = useDebouncedValue(typed, PAUSE_MS);
  const { data, error } = useFilterTest(filter, payload);
  if (error instanceof ApiError && error.code === 'validation_error') {
    return <Refusal filter={filter} message={error.message} />;
  }
  if (error) return <ErrorNotice title="The filter could not be tested" error={error} />;
  if (data === undefined) return null;
  return (
    <Stack gap="xs" role="status" aria-label="Result">
      <Alert
        color={data.matches ? 'green' : 'yellow'}
        title={data.matches ? 'The sample matches.' : 'The sample does not match.'}
      />
      <Table verticalSpacing={4} aria-label="Clauses">
        <Table.Tbody>
          {data.clauses.map(({ path, operator, expected, found, holds }, index) => (
            <Table.Tr key={`${path} ${operator} ${index}`}>
              <Table.Td w={24}>
                <CheckGlyph outcome={holds ? 'pass' : 'fail'} />
              </Table.Td>
              <Table.Td style={{ overflowWrap: 'anywhere' }}>
                <span className="mono">
                  {path} {operator} {JSON.stringify(expected)}
                </span>
                <Text size="xs" c="dimmed">
                  the sample has <span className="mono">{JSON.stringify(found)}</span>
                </Text>
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Stack>
  );
}

function useFilterTest(filter: string, payload: string) {
  const { workspace } = usePlace();
  return useQuery({
    queryKey: ['filter test', filter, payload],
    queryFn: async () => {
      const { data } = await client.POST('/api/workspaces/{workspaceId}/filters/test', {
        params: { path: { workspaceId: workspace.id } },
        body: { filter: {}, payload: null },
        bodySerializer: () => `{"filter":${filter},"payload":${payload}}`,
      });
      return data;
    },
    enabled: prettyJson(filter) !== undefined && prettyJson(payload) !== undefined,
    placeholderData: keepPreviousData,
    retry: false,
    gcTime: 0,
  });
}

/** What is wrong with the filter, at the line of the clause that it names. */
function Refusal({ filter, message }: { filter: string; message: string }) {
  const line = lineOfRefusal(filter, message);
  return (
    <Alert color="red" role="alert" title={line === undefined ? 'The filter is refused' : `Line ${line} is refused`}>
      {line === undefined ? null : <Code block>{filter.split('\n')[line - 1]?.trim()}</Code>}
      <Text size="sm">{message}</Text>
    </Alert>
  );
}
