import { Alert, List, Stack, Text } from '@mantine/core';
import type { UpdatedEventType } from '../../../client/resources.ts';

/** The effects of a schema change on receivers, and where the example does not match the schema. */
export function SchemaReport({ report }: { report: UpdatedEventType }) {
  const { schemaChanges = [], schemaWarnings = [], exampleErrors } = report;
  const breaking = schemaChanges.filter((one) => one.breaking);
  const others = schemaChanges.filter((one) => !one.breaking);
  return (
    <Stack gap="sm">
      {schemaChanges.length === 0 ? <Text size="sm">Receivers see no difference.</Text> : null}
      <Changes title="This breaks receivers" color="red" changes={breaking} />
      <Changes title="This breaks no receiver" color="green" changes={others} />
      {schemaWarnings.length > 0 ? (
        <Alert color="yellow" title="Parts of the schema are not checked">
          <List size="sm">
            {schemaWarnings.map(({ path, message }) => (
              <List.Item key={path} style={{ overflowWrap: 'anywhere' }}>
                <span className="mono">{path}</span> {message}
              </List.Item>
            ))}
          </List>
        </Alert>
      ) : null}
      {exampleErrors !== null && exampleErrors !== undefined && exampleErrors.length > 0 ? (
        <Alert color="yellow" title="The example does not fit the schema">
          <List size="sm">
            {exampleErrors.map((error) => (
              <List.Item key={error}>{error}</List.Item>
            ))}
          </List>
        </Alert>
      ) : null}
    </Stack>
  );
}

type Changes = NonNullable<UpdatedEventType['schemaChanges']>;

function Changes({ title, color, changes }: { title: string; color: string; changes: Changes }) {
  if (changes.length === 0) return null;
  return (
    <Alert color={color} title={title}>
      <List size="sm">
        {changes.map(({ path, change, detail }) => (
          <List.Item key={`${path} ${change} ${detail}`} style={{ overflowWrap: 'anywhere' }}>
            <span className="mono">{path === '' ? 'The payload' : path}</span> {detail}
          </List.Item>
        ))}
      </List>
    </Alert>
  );
}
