import { Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { api } from '../../../client/api.ts';
import { ErrorNotice } from '../../../components/error-notice.tsx';
import { Fact } from '../../../components/fact.tsx';
import { usePlace } from '../../place.ts';
import { Setting } from './setting.tsx';
import { usageWords } from './usage-words.ts';

/** Today's events and the stored bytes of payloads and attempts, with the quotas of the workspace. */
export function WorkspaceUsage() {
  const { workspace } = usePlace();
  const params = { path: { workspaceId: workspace.id } };
  const { data, error } = useQuery(api.queryOptions('get', '/api/workspaces/{workspaceId}', { params }));
  return (
    <Setting title="Use" sentence="Beyond a quota new events are refused until there is room. The operator sets it.">
      <Stack gap="xs">
        {error ? <ErrorNotice title="The usage could not be read" error={error} /> : null}
        {data ? (
          <>
            <Fact name="Today (UTC)">{usageWords(data.quotas.eventsPerDay, 'event')}</Fact>
            <Fact name="Payloads kept">{usageWords(data.quotas.bytesKept, 'byte')}</Fact>
            <Fact name="Attempts kept">{usageWords(data.quotas.attemptBytesKept, 'byte')}</Fact>
          </>
        ) : null}
      </Stack>
    </Setting>
  );
}
