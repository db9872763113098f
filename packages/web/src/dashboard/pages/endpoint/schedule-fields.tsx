import { SegmentedControl, Stack, Text, TextInput, Title } from '@mantine/core';
import { FormField } from '../../../components/form.tsx';
import type { EndpointForm } from './config-draft.ts';
import { useEndpointDefaults } from './endpoint-defaults.ts';
import { RetryAxis } from './retry-axis.tsx';
import { readSchedule, scheduleText } from './retry-schedule.ts';

/** The retry schedule, with a time axis that follows the typed schedule. */
export function ScheduleFields({ form }: { form: EndpointForm }) {
  const { isOwn, text } = form.values.config.retrySchedule;
  const typed = readSchedule(text);
  const byDefault = useEndpointDefaults()?.retrySchedule ?? [];
  const choose = (choice: string) =>
    form.setFieldValue('config.retrySchedule', { isOwn: choice === 'own', text: text || scheduleText(byDefault) });
  return (
    <Stack gap="sm" component="section" aria-label="Retry schedule">
      <Title order={2}>Retry schedule</Title>
      <SegmentedControl
        w="fit-content"
        aria-label="Retry schedule"
        value={isOwn ? 'own' : 'default'}
        onChange={choose}
        data={[
          { value: 'default', label: 'The default' },
          { value: 'own', label: 'Its own' },
        ]}
      />
      {isOwn ? (
        <FormField of="config.retrySchedule" path="config.retrySchedule.text">
          <TextInput
            label="Time before each retry"
            description="Such as 5 s, 5 min, 2 h, 1 d. At most 20 retries and 5 days together; empty for none."
            maw={640}
            error={typed.kind === 'wrong' ? typed.why : undefined}
          />
        </FormField>
      ) : (
        <Text size="sm" c="dimmed">
          {scheduleText(byDefault) || 'No retries'}
        </Text>
      )}
      <Shown typed={isOwn ? typed : { kind: 'schedule', seconds: byDefault }} />
    </Stack>
  );
}

function Shown({ typed }: { typed: ReturnType<typeof readSchedule> }) {
  return typed.kind === 'schedule' ? <RetryAxis seconds={typed.seconds} /> : null;
}
