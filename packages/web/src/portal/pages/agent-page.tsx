import { Alert, Button, List, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { AgentConfiguration } from '../../components/agent-configuration.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { RelativeTime } from '../../components/relative-time.tsx';
import { rich, t } from '../../language/language.ts';
import { portalToken } from '../portal-token.ts';
import { useMay, useSession } from '../session.ts';
import { AgentSubscriptions } from './agent-subscriptions.tsx';

/** How an agent of the customer can ask about its endpoints: with this session's token, until the session ends. */
export function AgentPage() {
  const { applicationName, environmentName, expiresAt, agentsUrl, agentsIssuer } = useSession();
  const seesEndpoints = useMay('endpoints:read');
  const seesPayloads = useMay('payloads:read');
  const mayWrite = useMay('endpoints:write');
  const mayRetry = useMay('deliveries:retry');
  const mayTest = useMay('events:test');
  const mayChange = mayWrite || mayRetry || mayTest;
  const [shown, setShown] = useState<'reads' | 'changes' | null>(null);
  const token = portalToken();
  return (
    <Stack gap="md" maw={720}>
      <PageHeader
        title={t('Connect an agent')}
        line={t('A language model can ask why a message did not arrive, and which endpoints fail.')}
      />
      <List size="sm" spacing={4}>
        <List.Item>
          {rich(
            'It sees the endpoints, messages and deliveries of {applicationName} in {environmentName}, and nothing else.',
            { applicationName, environmentName },
          )}
        </List.Item>
        <List.Item>
          {seesPayloads ? t('It can read payloads, which then go to the model.') : t('It cannot read payloads.')}
        </List.Item>
        <List.Item>
          {rich('Its access ends with this session: {relativeTime}.', {
            relativeTime: <RelativeTime at={expiresAt} />,
          })}
        </List.Item>
      </List>
      {shown === null || token === null ? (
        <Button.Group>
          <Button size="sm" variant="default" onClick={() => setShown('reads')}>
            {t('Show the configuration')}
          </Button>
          {mayChange ? (
            <Button size="sm" variant="default" onClick={() => setShown('changes')}>
              {t('With changes')}
            </Button>
          ) : null}
        </Button.Group>
      ) : (
        <>
          <Alert color="yellow" title={t('Keep the token secret')}>
            <Text size="sm">{t('Anyone who has it can do what you can do here.')}</Text>
          </Alert>
          <AgentConfiguration token={token} allowChanges={shown === 'changes'} name="webhooks" />
        </>
      )}
      {agentsUrl !== null && seesEndpoints ? <AgentSubscriptions address={agentsUrl} issuer={agentsIssuer} /> : null}
    </Stack>
  );
}
