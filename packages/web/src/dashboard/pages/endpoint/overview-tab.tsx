import { Box, SimpleGrid, Stack, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { Endpoint } from '../../../client/resources.ts';
import { Fact } from '../../../components/fact.tsx';
import { Id } from '../../../components/id.tsx';
import { TextLink } from '../../../components/links.tsx';
import { RelativeTime } from '../../../components/relative-time.tsx';
import { signatureLabel, signatureOf } from '../../../components/request/signatures.ts';
import { durationWords } from '../../../components/time-words.ts';
import { CustomerLink } from '../../customer-name.tsx';
import { usePlace } from '../../place.ts';
import { subscriptionsQuery } from '../endpoints/endpoint-queries.ts';
import { credentialWords } from './credential-words.ts';
import { useEndpointDefaults } from './endpoint-defaults.ts';
import { EndpointStats } from './endpoint-stats.tsx';
import { LastDeliveries } from './last-deliveries.tsx';

/** The endpoint's last 24 hours, its settings, and its newest deliveries. */
export function OverviewTab({ endpoint }: { endpoint: Endpoint }) {
  return (
    <Stack gap="lg">
      <EndpointStats endpointId={endpoint.id} />
      <Summary endpoint={endpoint} />
      <Stack gap="sm" component="section">
        <Title order={2}>Last deliveries</Title>
        <LastDeliveries endpoint={endpoint} />
        <Box fz="sm">
          <TextLink from="/w/$workspace/$environment/endpoints/$endpointId" search={{ tab: 'deliveries' }}>
            All its deliveries
          </TextLink>
        </Box>
      </Stack>
    </Stack>
  );
}

const FORMATS = { raw: 'unchanged', envelope: 'envelope', cloudevents: 'CloudEvents 1.0' };

function Summary({ endpoint }: { endpoint: Endpoint }) {
  const { workspace } = usePlace();
  const { data: subscriptions } = useQuery(subscriptionsQuery(workspace.id, endpoint.id));
  const defaults = useEndpointDefaults();
  const { config } = endpoint;
  return (
    <SimpleGrid cols={{ base: 2, sm: 3, md: 4 }} spacing="md" verticalSpacing="md">
      <Fact name="Customer">
        <CustomerLink id={endpoint.applicationId} />
      </Fact>
      <Fact name="Subscriptions">{subscriptions === undefined ? '…' : subscriptionWords(subscriptions)}</Fact>
      <Fact name="Body">{FORMATS[config.payloadFormat ?? 'raw']}</Fact>
      <Fact name="Signature">{signatureLabel(signatureOf(config))}</Fact>
      <Fact name="Timeout">
        {ownOrDefault(config.timeoutSeconds, defaults?.timeoutSeconds, (seconds) => durationWords(seconds * 1_000))}
      </Fact>
      <Fact name="Retries">{ownOrDefault(config.retrySchedule, defaults?.retrySchedule, retryWords)}</Fact>
      <Fact name="At most">{limitWords(config)}</Fact>
      <Fact name="Credentials">{credentialWords(endpoint)}</Fact>
      <Fact name="Changed">
        <RelativeTime at={endpoint.updatedAt} />
      </Fact>
      <Fact name="Id">
        <Id value={endpoint.id} />
      </Fact>
    </SimpleGrid>
  );
}

function subscriptionWords(subscriptions: readonly { filter: unknown }[]): string {
  if (subscriptions.length === 0) return 'Subscribed to nothing';
  const filtered = subscriptions.filter(({ filter }) => filter !== null).length;
  const types = `${subscriptions.length} event ${subscriptions.length === 1 ? 'type' : 'types'}`;
  return filtered === 0 ? types : `${types}, ${filtered} filtered`;
}

/** The value in words, such as `15 s, the default`. Until the service's defaults are known, just "the default". */
function ownOrDefault<Value>(
  own: Value | undefined,
  byDefault: Value | undefined,
  words: (value: Value) => string,
): string {
  if (own !== undefined) return words(own);
  return byDefault === undefined ? 'the default' : `${words(byDefault)}, the default`;
}

function retryWords(schedule: readonly number[]): string {
  if (schedule.length === 0) return 'none';
  const total = schedule.reduce((sum, seconds) => sum + seconds, 0);
  return `${schedule.length} over ${durationWords(total * 1_000)}`;
}

function limitWords({ rateLimit, maxConcurrency, catchUp }: Endpoint['config']): string {
  const words = [
    ...(rateLimit ? [`${rateLimit.limit} in ${durationWords(rateLimit.periodSeconds * 1_000)}`] : []),
    ...(maxConcurrency === undefined ? [] : [`${maxConcurrency} at once`]),
    ...(catchUp === 'at-once' ? ['all at once after an outage of Posthorn'] : []),
  ];
  return words.join(', ') || 'no limit of its own';
}
