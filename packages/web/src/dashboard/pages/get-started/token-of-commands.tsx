import { Button, Group, Paper, Stack, Text } from '@mantine/core';
import { client } from '../../../client/api.ts';
import type { Scope } from '../../../client/resources.ts';
import { nowMs } from '../../../clock.ts';
import { ErrorNotice } from '../../../components/error-notice.tsx';
import { usePlace } from '../../place.ts';
import { mayAdminister } from '../../role.ts';
import { tokensQuery } from '../access/access-queries.ts';
import { useAccessChange } from '../access/use-access-change.ts';
import { PasteSecret, shortSecret } from './paste-secret.tsx';

const NAME = 'Get started';
const DAY_MS = 86_400_000;
/** The scopes that the commands need. The third one creates an API key. */
const SCOPES: Scope[] = ['read', 'write', 'keys'];

type Props = { token: string | undefined; onToken: (token: string) => void };

/** The management token for the commands. It must belong to this workspace; a shell may hold that of another. */
export function TokenOfCommands({ token, onToken }: Props) {
  const place = usePlace();
  const create = useNewToken(onToken);
  return (
    <Paper component="section" withBorder p="md" bg="var(--surface-raised)" aria-label="Token of the commands">
      <Stack gap="sm" align="flex-start">
        <Text size="sm">
          {token === undefined ? (
            <>
              To use the commands instead of the buttons, you need a management token of {place.workspace.name}. Until
              it is known here, they read it from <span className="mono">$WORKSPACE_TOKEN</span>.
            </>
          ) : (
            <>
              The commands carry the token <span className="mono">{shortSecret(token)}</span>. This page forgets it when
              it is left.
            </>
          )}
        </Text>
        {token === undefined ? (
          <Group gap="sm" align="flex-end">
            {mayAdminister(place) ? (
              <Button variant="default" size="sm" onClick={() => create.mutate(undefined)} loading={create.isPending}>
                Create a token for one day
              </Button>
            ) : null}
            <PasteSecret label="Or paste a token" prefix="phm_" onSecret={onToken} />
          </Group>
        ) : null}
        {create.error ? <ErrorNotice title="The token was not created" error={create.error} /> : null}
      </Stack>
    </Paper>
  );
}

function useNewToken(onToken: (token: string) => void) {
  const place = usePlace();
  const params = { path: { workspaceId: place.workspace.id } };
  return useAccessChange<void, { data?: { token: string | null } }>(
    tokensQuery(place).queryKey,
    () => {
      const expiresAt = new Date(nowMs() + DAY_MS).toISOString();
      const body = { name: NAME, scopes: SCOPES, expiresAt };
      return client.POST('/api/workspaces/{workspaceId}/management-tokens', { params, body });
    },
    {
      onSuccess: ({ data }) => (data?.token ? onToken(data.token) : undefined),
      isToldElsewhere: true,
      afterClose: () => `The token ${NAME} was created, but it was not shown. Delete it, and create another one.`,
    },
  );
}
