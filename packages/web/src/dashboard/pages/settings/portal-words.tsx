import { SegmentedControl, Stack, Text } from '@mantine/core';
import { client } from '../../../client/api.ts';
import { ErrorNotice } from '../../../components/error-notice.tsx';
import type { components } from '../../../generated/api.ts';
import { usePlace } from '../../place.ts';
import { isOwner } from '../../role.ts';
import { Setting } from './setting.tsx';
import { usePlaceChange } from './use-place-change.ts';

type EventTerm = components['schemas']['PortalTerms']['event'];

const WORDS: Readonly<Record<EventTerm, string>> = { Message: 'Messages', Event: 'Events' };

/** The portal's word for an event, in each of the portal's languages. */
export function PortalWords() {
  const place = usePlace();
  const { id, portalTerms } = place.workspace;
  const params = { path: { workspaceId: id } };
  const save = usePlaceChange((event: EventTerm) =>
    client.PATCH('/api/workspaces/{workspaceId}', { params, body: { portalTerms: { event } } }),
  );
  return (
    <Setting title="Words of the portal" sentence="What your customers read in the portal, in their language.">
      {isOwner(place) ? (
        <Stack gap="sm" align="flex-start">
          <SegmentedControl
            aria-label="Events are called"
            data={Object.entries(WORDS).map(([value, label]) => ({ value, label }))}
            value={save.isPending ? (save.variables ?? portalTerms.event) : portalTerms.event}
            disabled={save.isPending}
            onChange={(value) => save.mutate(value === 'Event' ? 'Event' : 'Message')}
          />
          {save.error ? <ErrorNotice title="Nothing was changed" error={save.error} /> : null}
        </Stack>
      ) : (
        <Text size="sm">Events are called {WORDS[portalTerms.event].toLowerCase()}.</Text>
      )}
    </Setting>
  );
}
