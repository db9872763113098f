import { Stack, Switch, Text } from '@mantine/core';
import { client } from '../../../client/api.ts';
import { ErrorNotice } from '../../../components/error-notice.tsx';
import { usePlace } from '../../place.ts';
import { isOwner } from '../../role.ts';
import { Setting } from './setting.tsx';
import { usePlaceChange } from './use-place-change.ts';

const SENTENCE = 'Members without a second factor can only set one up here. Management tokens and API keys still work.';

export function RequireSecondFactor() {
  const place = usePlace();
  const { id, requireSecondFactor } = place.workspace;
  const params = { path: { workspaceId: id } };
  const save = usePlaceChange((required: boolean) =>
    client.PATCH('/api/workspaces/{workspaceId}', { params, body: { requireSecondFactor: required } }),
  );
  return (
    <Setting title="Second factor of members" sentence={SENTENCE}>
      {isOwner(place) ? (
        <Stack gap="sm" align="flex-start">
          <Switch
            label="Require a second factor"
            description="You need one yourself. Access shows who has one."
            checked={save.isPending ? (save.variables ?? false) : requireSecondFactor}
            onChange={({ currentTarget }) => save.mutate(currentTarget.checked)}
          />
          {save.error ? <ErrorNotice title="Nothing was changed" error={save.error} /> : null}
        </Stack>
      ) : (
        <Text size="sm">
          {requireSecondFactor ? 'A second factor is required.' : 'A second factor is not required.'}
        </Text>
      )}
    </Setting>
  );
}
