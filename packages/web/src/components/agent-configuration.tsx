import { Stack, Text } from '@mantine/core';
import { CodeBlock } from './code-block.tsx';

type Props = { token: string; allowChanges: boolean };

/** The configurations with which agents reach this service: of agents that take an address, and of those that start a program. */
export function AgentConfiguration({ token, allowChanges }: Props) {
  const { origin } = window.location;
  const url = `${origin}/mcp${allowChanges ? '?changes=true' : ''}`;
  const remote = { type: 'http', url, headers: { Authorization: `Bearer ${token}` } };
  const program = {
    command: 'npx',
    args: ['-y', 'posthorn', 'mcp', ...(allowChanges ? ['--allow-changes'] : [])],
    env: { POSTHORN_BASE_URL: origin, POSTHORN_TOKEN: token },
  };
  return (
    <Stack gap="md">
      <Configuration
        title="For an agent that takes an address"
        server={remote}
        what="the configuration with the address"
      />
      <Configuration
        title="For an agent that starts a program"
        server={program}
        what="the configuration with the program"
      />
    </Stack>
  );
}

function Configuration({ title, server, what }: { title: string; server: object; what: string }) {
  return (
    <Stack gap="xs" component="section" aria-label={title}>
      <Text size="sm" fw={600}>
        {title}
      </Text>
      <CodeBlock text={JSON.stringify({ mcpServers: { posthorn: server } }, null, 2)} what={what} />
    </Stack>
  );
}
