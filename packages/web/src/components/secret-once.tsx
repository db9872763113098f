import { Alert, Button, Stack, Text } from '@mantine/core';
import { CodeBlock } from './code-block.tsx';

/** A credential that is shown once: to copy, then to close. */
export function SecretOnce(props: { secret: string; what: string; sentence: string; onDone: () => void }) {
  return (
    <Stack gap="md">
      <Alert color="yellow" title={`Copy ${props.what} now`}>
        <Text size="sm">It is not shown again. {props.sentence}</Text>
      </Alert>
      <CodeBlock text={props.secret} what={props.what} />
      <Button size="sm" onClick={props.onDone}>
        I have copied it
      </Button>
    </Stack>
  );
}
