import { Alert, Button, List, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { AgentConfiguration } from '../../components/agent-configuration.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { RelativeTime } from '../../components/relative-time.tsx';
import { portalToken } from '../portal-token.ts';
import { useMay, useSession } from '../session.ts';

/** How an agent of the customer asks about its endpoints: with the token of this session, until the session ends. */
export function AgentPage() {
  const { applicationName, environmentName, expiresAt } = useSession();
  const seesPayloads = useMay('payloads:read');
  const mayWrite = useMay('endpoints:write');
  const mayRetry = useMay('deliveries:retry');
  const mayChange = mayWrite || mayRetry;
  const [shown, setShown] = useState<'reads' | 'changes' | null>(null);
  const token = portalToken();
  return (
    <Stack gap="md" maw={720}>
      <PageHeader
        title="Connect an agent"
        line="A language model can ask why a message did not arrive, and which endpoints fail."
      />
      <List size="sm" spacing={4}>
        <List.Item>
          It sees the endpoints, messages and deliveries of {applicationName} in {environmentName}, and nothing else.
        </List.Item>
        <List.Item>
          {seesPayloads ? 'It can read payloads, which then go to the model.' : 'It cannot read payloads.'}
        </List.Item>
        <List.Item>
          Its access ends with this session: <RelativeTime at={expiresAt} />.
        </List.Item>
      </List>
      {shown === null || token === null ? (
        <Button.Group>
          <Button size="sm" variant="default" onClick={() => setShown('reads')}>
            Show the configuration
          </Button>
          {mayChange ? (
            <Button size="sm" variant="default" onClick={() => setShown('changes')}>
              With changes
            </Button>
          ) : null}
        </Button.Group>
      ) : (
        <>
          <Alert color="yellow" title="Keep the token secret">
            <Text size="sm">Who has it can do what you can do here.</Text>
          </Alert>
          <AgentConfiguration token={token} allowChanges={shown === 'changes'} name="webhooks" />
        </>
      )}
    </Stack>
  );
}
