import {
  Button,
  Chip,
  Group,
  Input,
  MultiSelect,
  Radio,
  SegmentedControl,
  Stack,
  Text,
  TextInput,
} from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { nowMs } from '../../clock.ts';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { DryRunCount } from '../operations/dry-run-count.tsx';
import { OPERATION_LISTS } from '../operations/operation-queries.ts';
import { deliveriesWords } from '../operations/operation-words.ts';
import { eventTypesQuery } from '../pages/event-types/event-type-queries.ts';
import { usePlace } from '../place.ts';
import {
  FIRST_DRAFT,
  type RecoveryBody,
  type RecoveryDraft,
  recoveryBody,
  type StatusClass,
} from './recovery-draft.ts';
import { recoveryDryRunQuery, startRecovery } from './recovery-queries.ts';

type Props = { endpointId: string; onStarted: (operationId: string) => void };

/** The range, the mode and the filters of a recovery. Its count is there before the button can be pressed. */
export function RecoverForm({ endpointId, onStarted }: Props) {
  const { workspace } = usePlace();
  const queryClient = useQueryClient();
  const [draft, setDraft] = useState(FIRST_DRAFT);
  const body = useMemo(() => recoveryBody(draft, nowMs()), [draft]);
  const path = { workspaceId: workspace.id, id: endpointId };
  const dryRun = useQuery(recoveryDryRunQuery(path, body));
  const start = useMutation({
    mutationFn: (request: RecoveryBody) => startRecovery(path, request),
    onSuccess: ({ id }) => {
      void queryClient.invalidateQueries({ queryKey: OPERATION_LISTS });
      onStarted(id);
    },
  });
  const matched = dryRun.data?.matched;
  return (
    <Stack gap="md">
      <Fields draft={draft} onChange={(part) => setDraft((before) => ({ ...before, ...part }))} />
      <Input.Wrapper label="What would be sent">
        {body === undefined ? (
          <Text size="sm" c="dimmed">
            Give a start, and an end after it.
          </Text>
        ) : dryRun.error ? (
          <ErrorNotice title="Not counted" error={dryRun.error} onRetry={() => void dryRun.refetch()} />
        ) : (
          <DryRunCount dryRun={dryRun.data} />
        )}
      </Input.Wrapper>
      {start.error ? <ErrorNotice title="The recovery was not started" error={start.error} /> : null}
      <Button
        size="sm"
        disabled={body === undefined || !matched}
        loading={start.isPending}
        onClick={() => body && start.mutate(body)}
      >
        {matched ? `Recover ${deliveriesWords(matched)}` : 'Recover'}
      </Button>
    </Stack>
  );
}

type FieldsProps = { draft: RecoveryDraft; onChange: (part: Partial<RecoveryDraft>) => void };

function Fields({ draft, onChange }: FieldsProps) {
  const { workspace } = usePlace();
  const { data: types } = useQuery(eventTypesQuery(workspace.id));
  return (
    <>
      <RangeFields draft={draft} onChange={onChange} />
      <Radio.Group label="Mode" value={draft.mode} onChange={(mode) => isMode(mode) && onChange({ mode })}>
        <Stack gap="sm" mt="xs">
          {Object.entries(MODES).map(([value, { label, description }]) => (
            <Radio key={value} size="xs" value={value} label={label} description={description} />
          ))}
        </Stack>
      </Radio.Group>
      <MultiSelect
        label="Event types"
        placeholder={draft.eventTypes.length === 0 ? 'All' : ''}
        size="sm"
        searchable
        clearable
        maxValues={100}
        data={(types ?? []).map(({ name }) => name)}
        value={draft.eventTypes}
        onChange={(eventTypes) => onChange({ eventTypes })}
      />
      {draft.mode === 'missed' ? null : (
        <Input.Wrapper label="Last answer" description="All of them when none is chosen.">
          <Chip.Group
            multiple
            value={draft.statusClass}
            onChange={(chosen) => onChange({ statusClass: CLASSES.filter((one) => chosen.includes(one)) })}
          >
            <Group gap={6} mt="xs">
              {CLASSES.map((one) => (
                <Chip key={one} size="xs" variant="light" value={one}>
                  {one === 'none' ? 'No answer' : one}
                </Chip>
              ))}
            </Group>
          </Chip.Group>
        </Input.Wrapper>
      )}
    </>
  );
}

function RangeFields({ draft, onChange }: FieldsProps) {
  return (
    <Input.Wrapper label="Accepted in" description={draft.range === 'own' ? 'Both times are in UTC.' : undefined}>
      <SegmentedControl
        fullWidth
        size="xs"
        mt="xs"
        value={draft.range}
        onChange={(range) => onChange({ range })}
        data={[
          { value: '1h', label: 'Last hour' },
          { value: '24h', label: '24 hours' },
          { value: '3d', label: '3 days' },
          { value: 'own', label: 'From … to' },
        ]}
      />
      {draft.range === 'own' ? (
        <Group grow mt="sm">
          <TextInput
            type="datetime-local"
            label="From"
            value={draft.from}
            onChange={({ currentTarget }) => onChange({ from: currentTarget.value })}
          />
          <TextInput
            type="datetime-local"
            label="To (now if empty)"
            value={draft.to}
            onChange={({ currentTarget }) => onChange({ to: currentTarget.value })}
          />
        </Group>
      ) : null}
    </Input.Wrapper>
  );
}

const CLASSES: readonly StatusClass[] = ['2xx', '3xx', '4xx', '5xx', 'none'];

const MODES: Readonly<Record<RecoveryDraft['mode'], { label: string; description: string }>> = {
  failed: { label: 'Failed', description: 'Deliveries that failed or are dead letters.' },
  missed: {
    label: 'Missed',
    description: 'Events that match its subscriptions now, and of which it has no delivery.',
  },
  all: { label: 'All', description: 'Both, and what was delivered: the endpoint gets those again.' },
};

function isMode(value: string): value is RecoveryDraft['mode'] {
  return Object.hasOwn(MODES, value);
}
