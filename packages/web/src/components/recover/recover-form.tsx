import { Button, Chip, Group, Input, MultiSelect, Radio, SegmentedControl, Stack, Text } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import type { DryRun, Operation } from '../../client/resources.ts';
import { nowMs } from '../../clock.ts';
import { t } from '../../language/language.ts';
import { DateTimeField } from '../date-time-field.tsx';
import { ErrorNotice } from '../error-notice.tsx';
import { useHeldSheet } from '../hold-sheet.ts';
import { DryRunCount } from '../operation/dry-run-count.tsx';
import { countWords, type Noun } from '../operation/operation-words.ts';
import {
  FIRST_DRAFT,
  type RecoveryBody,
  type RecoveryDraft,
  recoveryBody,
  type StatusClass,
} from './recovery-draft.ts';

type Props = {
  endpointId: string;
  /** The reader's word for a delivery. */
  noun: Noun;
  /** The names of the event types to choose from. */
  typeNames: readonly string[];
  /** Counts what a recovery would select now. Changes nothing. */
  count: (body: RecoveryBody) => Promise<DryRun>;
  start: (body: RecoveryBody) => Promise<Operation>;
  onStarted: (operation: Operation) => void;
};

/** The form of a recovery: the range, the mode and the filters. Its button works only once the count is shown. */
export function RecoverForm({ endpointId, noun, typeNames, count, start, onStarted }: Props) {
  const [draft, setDraft] = useState(FIRST_DRAFT);
  const body = useMemo(() => recoveryBody(draft, nowMs()), [draft]);
  const dryRun = useQuery({
    queryKey: ['recovery dry run', endpointId, body],
    queryFn: () => (body === undefined ? Promise.reject(new Error('The range is incomplete')) : count(body)),
    enabled: body !== undefined,
    gcTime: 0,
  });
  const starting = useMutation({ mutationFn: start, onSuccess: onStarted });
  useHeldSheet(starting.isPending ? 'answer' : null);
  const matched = dryRun.data?.matched;
  return (
    <Stack gap="md">
      <Fields
        draft={draft}
        noun={noun}
        typeNames={typeNames}
        onChange={(part) => setDraft((before) => ({ ...before, ...part }))}
      />
      <Input.Wrapper label={t('What would be sent')}>
        {body === undefined ? (
          <Text size="sm" c="dimmed">
            {t('Give a start, and an end after it.')}
          </Text>
        ) : dryRun.error ? (
          <ErrorNotice title={t('Not counted')} error={dryRun.error} onRetry={() => void dryRun.refetch()} />
        ) : (
          <DryRunCount dryRun={dryRun.data} noun={noun} />
        )}
      </Input.Wrapper>
      {starting.error ? <ErrorNotice title={t('The recovery was not started')} error={starting.error} /> : null}
      <Button
        size="sm"
        disabled={body === undefined || !matched}
        loading={starting.isPending}
        onClick={() => body && starting.mutate(body)}
      >
        {matched ? t('Recover {matched}', { matched: countWords(matched, noun) }) : t('Recover')}
      </Button>
    </Stack>
  );
}

type RangeProps = { draft: RecoveryDraft; onChange: (part: Partial<RecoveryDraft>) => void };
type FieldsProps = RangeProps & Pick<Props, 'noun' | 'typeNames'>;

function Fields({ draft, noun, typeNames, onChange }: FieldsProps) {
  return (
    <>
      <RangeFields draft={draft} onChange={onChange} />
      <Radio.Group label={t('Mode')} value={draft.mode} onChange={(mode) => isMode(mode) && onChange({ mode })}>
        <Stack gap="sm" mt="xs">
          {Object.entries(MODES[noun]).map(([value, { label, description }]) => (
            <Radio key={value} size="xs" value={value} label={label} description={description} />
          ))}
        </Stack>
      </Radio.Group>
      <MultiSelect
        label={t('Event types')}
        placeholder={draft.eventTypes.length === 0 ? t('All') : ''}
        size="sm"
        searchable
        clearable
        maxValues={100}
        data={[...typeNames]}
        value={draft.eventTypes}
        onChange={(eventTypes) => onChange({ eventTypes })}
      />
      {draft.mode === 'missed' ? null : (
        <Input.Wrapper label={t('Last answer')} description={t('All of them when none is chosen.')}>
          <Chip.Group
            multiple
            value={draft.statusClass}
            onChange={(chosen) => onChange({ statusClass: CLASSES.filter((one) => chosen.includes(one)) })}
          >
            <Group gap={6} mt="xs">
              {CLASSES.map((one) => (
                <Chip key={one} size="xs" variant="light" value={one}>
                  {CLASS_WORDS[one]}
                </Chip>
              ))}
            </Group>
          </Chip.Group>
        </Input.Wrapper>
      )}
    </>
  );
}

function RangeFields({ draft, onChange }: RangeProps) {
  return (
    <Input.Wrapper
      label={t('Accepted in')}
      description={draft.range === 'own' ? t('Both times are in UTC.') : undefined}
    >
      <SegmentedControl
        fullWidth
        size="xs"
        mt="xs"
        value={draft.range}
        onChange={(range) => onChange({ range })}
        data={[
          { value: '1h', label: t('Last hour') },
          { value: '24h', label: t('24 hours') },
          { value: '3d', label: t('3 days') },
          { value: 'own', label: t('From … to') },
        ]}
      />
      {draft.range === 'own' ? (
        <Group grow mt="sm">
          <DateTimeField label={t('From')} value={draft.from} onChange={(from) => onChange({ from })} />
          <DateTimeField label={t('To (now if empty)')} value={draft.to} onChange={(to) => onChange({ to })} />
        </Group>
      ) : null}
    </Input.Wrapper>
  );
}

const CLASSES: readonly StatusClass[] = ['2xx', '3xx', '4xx', '5xx', 'other', 'none'];

const CLASS_WORDS: Readonly<Record<StatusClass, string>> = {
  '2xx': '2xx',
  '3xx': '3xx',
  '4xx': '4xx',
  '5xx': '5xx',
  other: t('Other'),
  none: t('No answer'),
};

const MODES: Readonly<Record<Noun, Record<RecoveryDraft['mode'], { label: string; description: string }>>> = {
  delivery: {
    failed: { label: t('Failed'), description: t('Deliveries that failed or are dead letters.') },
    missed: {
      label: t('Missed'),
      description: t('Events that match its subscriptions now, and for which it has no delivery.'),
    },
    all: { label: t('All'), description: t('Both, and what was delivered: the endpoint gets those again.') },
  },
  message: {
    failed: { label: t('Failed'), description: t('Messages that did not arrive and are not tried again.') },
    missed: {
      label: t('Missed'),
      description: t('Messages that fit its subscriptions now, and were never sent to it.'),
    },
    all: { label: t('All'), description: t('Both, and what arrived: your endpoint gets those again.') },
  },
};

function isMode(value: string): value is RecoveryDraft['mode'] {
  return Object.hasOwn(MODES.delivery, value);
}
