import { Badge, Button, Group, Menu, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { client } from '../../../client/api.ts';
import type { Environment } from '../../../client/resources.ts';
import { ConfirmDialog } from '../../../components/confirm-dialog.tsx';
import { ErrorNotice } from '../../../components/error-notice.tsx';
import { Id } from '../../../components/id.tsx';
import { ButtonLink } from '../../../components/links.tsx';
import { RowMenu } from '../../../components/row-menu.tsx';
import { environmentColour } from '../../environment-colour.ts';
import { usePlace } from '../../place.ts';
import { mayAdminister } from '../../role.ts';
import { AddEnvironment } from './add-environment.tsx';
import { RequireCustomerDialog } from './require-customer-dialog.tsx';
import { Setting } from './setting.tsx';
import { usePlaceChange } from './use-place-change.ts';

/** The environments: creates them, sets the default, and deletes them. */
export function Environments() {
  const place = usePlace();
  const isAdmin = mayAdminister(place);
  const [isAdding, { open, close }] = useDisclosure();
  const [deleting, setDeleting] = useState<Environment | null>(null);
  const [requiring, setRequiring] = useState<Environment | null>(null);
  const setDefault = usePlaceChange((environmentId: string) =>
    client.PATCH('/api/workspaces/{workspaceId}/environments/{environmentId}', {
      params: { path: { workspaceId: place.workspace.id, environmentId } },
      body: { isDefault: true },
    }),
  );
  return (
    <Setting
      title="Environments"
      sentence="Each has its own endpoints, API keys and published event types."
      action={
        <Group gap="sm">
          {place.environments.length > 1 ? (
            <ButtonLink variant="default" from="/w/$workspace/$environment" to="/w/$workspace/$environment/promote">
              Compare and promote
            </ButtonLink>
          ) : null}
          {isAdmin ? <Button onClick={open}>Add environment</Button> : null}
        </Group>
      }
    >
      <Stack gap="sm">
        {setDefault.error ? <ErrorNotice title="Nothing was changed" error={setDefault.error} /> : null}
        {place.environments.map((one) => (
          <Group key={one.id} gap="sm" wrap="nowrap" mih={28}>
            <Text size="sm" fw={500} c={environmentColour(one.slug)} miw={0} truncate="end">
              {one.name}
            </Text>
            {one.isDefault ? (
              <Badge variant="default" tt="none" fw={500}>
                Default
              </Badge>
            ) : null}
            {one.requireApplication ? (
              <Badge variant="default" tt="none" fw={500} title="An event that names no customer is refused">
                Customer required
              </Badge>
            ) : null}
            <Group gap="sm" ml="auto" wrap="nowrap">
              <Id value={one.id} short />
              {isAdmin ? (
                <RowMenu of={one.name}>
                  <Menu.Item onClick={() => setRequiring(one)}>
                    {one.requireApplication ? 'Do not require a customer …' : 'Require a customer …'}
                  </Menu.Item>
                  {one.isDefault ? null : (
                    <>
                      <Menu.Item onClick={() => setDefault.mutate(one.id)}>Make default</Menu.Item>
                      <Menu.Item color="red" onClick={() => setDeleting(one)}>
                        Delete …
                      </Menu.Item>
                    </>
                  )}
                </RowMenu>
              ) : null}
            </Group>
          </Group>
        ))}
      </Stack>
      <AddEnvironment opened={isAdding} onClose={close} />
      <RequireCustomerDialog environment={requiring} onClose={() => setRequiring(null)} />
      <DeleteEnvironment environment={deleting} onClose={() => setDeleting(null)} />
    </Setting>
  );
}

/** Asks, and then deletes. From a page of the deleted environment, it leads to the default environment. */
function DeleteEnvironment({ environment, onClose }: { environment: Environment | null; onClose: () => void }) {
  const place = usePlace();
  const navigate = useNavigate();
  const remove = usePlaceChange(async ({ id }: Environment) => {
    await client.DELETE('/api/workspaces/{workspaceId}/environments/{environmentId}', {
      params: { path: { workspaceId: place.workspace.id, environmentId: id } },
    });
    const other = place.environments.find(({ isDefault }) => isDefault)?.slug;
    if (id !== place.environment.id || other === undefined) return;
    const params = { workspace: place.workspace.slug, environment: other };
    await navigate({ to: '/w/$workspace/$environment/settings', params });
  }, onClose);
  return (
    <ConfirmDialog
      opened={environment !== null}
      onClose={onClose}
      title={`Delete ${environment?.name ?? ''}?`}
      action="Delete environment"
      onConfirm={() => environment && remove.mutate(environment)}
      pending={remove.isPending}
      error={remove.error}
    >
      Its endpoints, API keys and portal links end, and deliveries that are still open fail. This cannot be undone.
    </ConfirmDialog>
  );
}
