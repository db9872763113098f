import { Stack, Text } from '@mantine/core';
import { t } from '../language/language.ts';
import { CodeBlock } from './code-block.tsx';

type Props = {
  token: string;
  allowChanges: boolean;
  /** The agent's name for this service. */
  name: string;
  /** The program that relays an agent's messages. The portal has none, because it never names a product. */
  program?: { command: string; args: string[]; env: (origin: string, token: string) => object };
};

/** Configurations with which agents reach this service: by its address, or by a program that they start. */
export function AgentConfiguration({ token, allowChanges, name, program }: Props) {
  const { origin } = window.location;
  const url = `${origin}/mcp${allowChanges ? '?changes=true' : ''}`;
  const remote = { type: 'http', url, headers: { Authorization: `Bearer ${token}` } };
  return (
    <Stack gap="md">
      <Configuration
        title={t('For an agent that takes an address')}
        servers={{ [name]: remote }}
        what={t('the configuration with the address')}
      />
      {program === undefined ? null : (
        <Configuration
          title={t('For an agent that starts a program')}
          servers={{ [name]: { ...program, env: program.env(origin, token) } }}
          what={t('the configuration with the program')}
        />
      )}
    </Stack>
  );
}

type Subscribing = {
  address: string;
  /** The agent's key, which is shown only once. Without it, the configurations have a placeholder. */
  agentKey?: string;
  /**
   * The login server for agents that log in; null if agents need a key. If undefined, the section about logins is left
   * out.
   */
  issuer?: string | null;
};

export const PLACE_OF_KEY = 'pha_…';

/**
 * The ways in which an agent subscribes at the address: by configuration, by its own code with the AI SDK, or by login.
 */
export function SubscribingConfiguration({ address, agentKey = PLACE_OF_KEY, issuer }: Subscribing) {
  const headers = { Authorization: `Bearer ${agentKey}` };
  const transport = JSON.stringify({ type: 'http', url: address, headers }, null, 2).replaceAll('\n', '\n  ');
  return (
    <Stack gap="md">
      {issuer === undefined ? null : <WithLogin address={address} issuer={issuer} />}
      <Configuration
        title={t('For an agent that takes an address')}
        servers={{ events: { type: 'http', url: address, headers } }}
        what={t('the configuration with the address')}
      />
      <Stack gap="xs" component="section" aria-label={t('For your own agent, with the AI SDK')}>
        <Text size="sm" fw={600}>
          {t('For your own agent, with the AI SDK')}
        </Text>
        <CodeBlock
          text={`const client = await createMCPClient({\n  transport: ${transport},\n  experimental_events: { store },\n});`}
          what={t('the code')}
        />
      </Stack>
    </Stack>
  );
}

/** ChatGPT and similar agents need only the address: it tells them where to log in. */
function WithLogin({ address, issuer }: { address: string; issuer: string | null }) {
  return (
    <Stack gap="xs" component="section" aria-label={t('For ChatGPT and others where people log in')}>
      <Text size="sm" fw={600}>
        {t('For ChatGPT and others where people log in')}
      </Text>
      {issuer === null ? (
        <Text size="sm">{t('They cannot be connected: no login for agents is set up here.')}</Text>
      ) : (
        <>
          <Text size="sm">{t('Enter this address. You then log in at {issuer}.', { issuer })}</Text>
          <CodeBlock text={address} what={t('the address')} />
        </>
      )}
    </Stack>
  );
}

function Configuration({ title, servers, what }: { title: string; servers: object; what: string }) {
  return (
    <Stack gap="xs" component="section" aria-label={title}>
      <Text size="sm" fw={600}>
        {title}
      </Text>
      <CodeBlock text={JSON.stringify({ mcpServers: servers }, null, 2)} what={what} />
    </Stack>
  );
}
