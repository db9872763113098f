import { Group, Paper, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { Attempt, Delivery } from '../../../client/resources.ts';
import { CodeBlock } from '../../../components/code-block.tsx';
import { DeliveryStatusChip } from '../../../components/delivery-status-chip.tsx';
import { TextLink } from '../../../components/links.tsx';
import { RelativeTime } from '../../../components/relative-time.tsx';
import { StatusGlyph } from '../../../components/status-glyph.tsx';
import { TestMark } from '../../../components/test-mark.tsx';
import { durationWords } from '../../../components/time-words.ts';
import { usePlace } from '../../place.ts';
import { typeName } from '../../type-name.tsx';
import { attemptsQuery } from './get-started-queries.ts';

/** The events that the playground received, newest first, each with its attempts. */
export function Inbox({ deliveries, isOpen }: { deliveries: readonly Delivery[]; isOpen: boolean }) {
  return (
    <Paper component="section" withBorder p="md" bg="var(--surface-raised)" aria-label="Inbox of the playground">
      <Title order={2} fz="md" fw={500} mb="sm">
        Inbox of the playground
      </Title>
      {deliveries.length === 0 ? (
        <Text size="sm" c="dimmed">
          {isOpen ? 'It waits for the first event.' : 'It opens with the second step.'}
        </Text>
      ) : (
        <Stack gap="md">
          {deliveries.map((delivery) => (
            <Received key={delivery.id} delivery={delivery} />
          ))}
        </Stack>
      )}
    </Paper>
  );
}

function Received({ delivery }: { delivery: Delivery }) {
  const { workspace } = usePlace();
  const { data: attempts = NO_ATTEMPTS } = useQuery(attemptsQuery(workspace.id, delivery));
  const body = bodyOf(attempts.at(-1));
  return (
    <Stack gap="xs">
      <Group gap="sm">
        <TextLink
          from="/w/$workspace/$environment"
          to="/w/$workspace/$environment/deliveries/$deliveryId"
          params={{ deliveryId: delivery.id }}
        >
          {typeName(delivery)}
        </TextLink>
        <TestMark of={delivery} />
        <DeliveryStatusChip delivery={delivery} />
        <Text size="xs" c="dimmed" ml="auto">
          <RelativeTime at={delivery.createdAt} everyMs={1_000} />
        </Text>
      </Group>
      <Stack component="ol" gap={2} p={0} m={0} fz="xs" style={{ listStyle: 'none' }}>
        {attempts.map((attempt) => (
          <Group component="li" key={attempt.id} gap={4}>
            <StatusGlyph status={attempt.outcome === 'success' ? 'delivered' : 'failed'} size={11} />
            Attempt {attempt.number}: {attempt.responseStatus ?? attempt.errorCode} in{' '}
            {durationWords(attempt.durationMs)}
          </Group>
        ))}
      </Stack>
      {body === undefined ? null : <CodeBlock text={body} what="the body" maxHeight={120} />}
    </Stack>
  );
}

const NO_ATTEMPTS: readonly Attempt[] = [];

/** The body that the attempt sent, as text; undefined for users who may not see payloads. */
function bodyOf(attempt: Attempt | undefined): string | undefined {
  const base64 = attempt?.requestBody;
  if (base64 === null || base64 === undefined) return undefined;
  return new TextDecoder().decode(Uint8Array.from(atob(base64), (character) => character.codePointAt(0) ?? 0));
}
