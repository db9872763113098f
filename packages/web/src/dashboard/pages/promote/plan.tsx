import { Badge, Button, Checkbox, Group, Skeleton, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { notifications } from '@mantine/notifications';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Endpoint, EnvironmentDiff } from '../../../client/resources.ts';
import { ConfirmDialog } from '../../../components/confirm-dialog.tsx';
import { ErrorNotice } from '../../../components/error-notice.tsx';
import { usePlace } from '../../place.ts';
import { mayAdminister } from '../../role.ts';
import { endpointsQuery } from '../endpoints/endpoint-queries.ts';
import { Setting } from '../settings/setting.tsx';
import { EndpointChanges } from './endpoint-changes.tsx';
import {
  countRemovals,
  removalWords,
  type TypedPlace,
  wantedChanges,
  wantedRemovals,
  withDestination,
  withoutServer,
} from './plan-words.ts';
import { diffQuery, endpointsById, type Pair, usePromote } from './promotion-queries.ts';
import { SourceChanges } from './source-changes.tsx';

/** The current difference of the two environments, with buttons that apply it. */
export function Plan(pair: Pair) {
  const { workspace } = usePlace();
  const diff = useQuery(diffQuery(workspace.id, pair));
  // If a later comparison fails, the plan and the typed URLs stay.
  if (diff.error && diff.data === undefined) {
    return <ErrorNotice title="Not compared" error={diff.error} onRetry={() => void diff.refetch()} />;
  }
  if (diff.data === undefined) return <Skeleton height={120} />;
  if (countOf(diff.data) === 0) {
    return <Text size="sm">{`${pair.to.name} is like ${pair.from.name}.`}</Text>;
  }
  return <Differences pair={pair} diff={diff.data} />;
}

function Differences({ pair, diff }: { pair: Pair; diff: EnvironmentDiff }) {
  const place = usePlace();
  const [urls, setUrls] = useState<Record<string, string>>({});
  const [places, setPlaces] = useState<Record<string, TypedPlace>>({});
  const apply = usePromote(place.workspace.id, pair, (applied) => say(pair, applied));
  const { data: known = NO_ENDPOINTS } = useQuery(endpointsQuery({ ...place, environment: pair.from }));
  const [takesSettings, setTakesSettings] = useState(false);
  const wanted = wantedChanges(diff, { urls, places }, withoutServer(known), takesSettings);
  const count = wanted.eventTypes.length + wanted.endpoints.length + wanted.sources.length + (takesSettings ? 1 : 0);
  return (
    <Stack gap="md">
      <SettingChanges changes={diff.settings} pair={pair} isTaken={takesSettings} onTake={setTakesSettings} />
      <EventTypeChanges changes={diff.eventTypes} pair={pair} />
      <EndpointChanges
        changes={diff.endpoints}
        pair={pair}
        known={endpointsById(known)}
        withDestination={withDestination(known)}
        urls={urls}
        onUrl={(id, url) => setUrls((before) => ({ ...before, [id]: url }))}
      />
      <SourceChanges
        changes={diff.sources}
        pair={pair}
        places={places}
        onPlace={(id, typed) => setPlaces((before) => ({ ...before, [id]: typed }))}
      />
      {apply.error ? <ErrorNotice title="Nothing was changed" error={apply.error} /> : null}
      {mayAdminister(place) ? (
        <Group gap="sm">
          <Button disabled={count === 0} loading={apply.isPending} onClick={() => apply.mutate(wanted)}>
            {count === 0 ? 'Apply' : `Apply ${count} ${count === 1 ? 'change' : 'changes'} to ${pair.to.name}`}
          </Button>
          <Prune pair={pair} diff={diff} />
        </Group>
      ) : (
        <Text size="sm" c="dimmed">
          Admins and owners can apply it.
        </Text>
      )}
    </Stack>
  );
}

type SettingChangesProps = {
  changes: EnvironmentDiff['settings'];
  pair: Pair;
  isTaken: boolean;
  onTake: (isTaken: boolean) => void;
};

/** The settings that differ. They are only applied if the user chooses so, because producers may be refused then. */
function SettingChanges({ changes: { requireApplication }, pair, isTaken, onTake }: SettingChangesProps) {
  if (requireApplication === undefined) return null;
  const from = pair.from.name;
  return (
    <Setting title="Settings" sentence={`What would change in ${pair.to.name}.`}>
      <Checkbox
        label={requireApplication.to ? 'Require a customer for each event' : 'Do not require a customer for each event'}
        description={`As in ${from}. It is not taken unless you choose it.`}
        checked={isTaken}
        onChange={({ currentTarget }) => onTake(currentTarget.checked)}
      />
    </Setting>
  );
}

function countOf({ settings, eventTypes, endpoints, sources }: EnvironmentDiff): number {
  return Object.keys(settings).length + eventTypes.length + endpoints.length + sources.length;
}

const NO_ENDPOINTS: readonly Endpoint[] = [];

/** Removes what the source environment does not have, after a dialog with the counts. */
function Prune({ pair, diff }: { pair: Pair; diff: EnvironmentDiff }) {
  const { workspace } = usePlace();
  const [isOpen, { open, close }] = useDisclosure();
  const prune = usePromote(workspace.id, pair, (applied) => {
    close();
    say(pair, applied);
  });
  const removals = countRemovals(diff);
  const total = removals.types + removals.endpoints + removals.subscriptions;
  if (total === 0) return null;
  return (
    <>
      <Button variant="default" c="red" onClick={open}>
        {`Remove ${total} from ${pair.to.name} …`}
      </Button>
      <ConfirmDialog
        opened={isOpen}
        onClose={close}
        title={`Remove what ${pair.from.name} does not have?`}
        action={`Remove ${total}`}
        dismiss="Keep them"
        onConfirm={() => prune.mutate(wantedRemovals(diff))}
        pending={prune.isPending}
        error={prune.error}
      >
        {`In ${pair.to.name}, ${removalWords(removals)}. `}
        {removals.subscriptions > 0 ? 'Endpoints that lose subscriptions get their other changes, too. ' : ''}
        This cannot be undone.
      </ConfirmDialog>
    </>
  );
}

function say({ to }: Pair, applied: EnvironmentDiff): void {
  const count = countOf(applied);
  notifications.show({ message: `${count} ${count === 1 ? 'change was' : 'changes were'} applied to ${to.name}.` });
}

const WORDS = { publish: 'Publish', unpublish: 'Unpublish', schema_mode: 'Check' } as const;

/** The event types that are published in only one of the two environments. */
function EventTypeChanges({ changes, pair }: { changes: EnvironmentDiff['eventTypes']; pair: Pair }) {
  if (changes.length === 0) return null;
  return (
    <Setting title="Event types" sentence={`What would change in ${pair.to.name}.`}>
      <Stack gap="xs">
        {changes.map(({ eventTypeId, name, change, from, to }) => (
          <Group key={`${eventTypeId} ${change}`} gap="sm">
            <Badge
              variant="light"
              color={change === 'unpublish' ? 'red' : 'accent'}
              tt="none"
              fw={500}
              miw={80}
              flex="none"
            >
              {WORDS[change]}
            </Badge>
            <Text size="sm" className="mono" miw={0} truncate="end">
              {name}
            </Text>
            {change === 'schema_mode' ? <Text size="sm" c="dimmed">{`payloads: ${from} → ${to}`}</Text> : null}
          </Group>
        ))}
      </Stack>
    </Setting>
  );
}
