import { Button, Menu } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import { announceFailure } from '../../components/announce-change.tsx';
import { Icon } from '../../components/icon.tsx';
import { defaultEnvironment, usePlace } from '../place.ts';

// Lazy, because the form would otherwise be part of the first page's scripts.
const NewWorkspaceSheet = lazy(async () => ({
  default: (await import('./new-workspace-sheet.tsx')).NewWorkspaceSheet,
}));

/** Shows the current workspace. Another one opens at its default environment; a form creates a new one. */
export function WorkspaceMenu() {
  const { workspace, workspaces } = usePlace();
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const [isCreating, setCreating] = useState(false);
  const open = async ({ id, slug }: { id: string; slug: string }) => {
    const environment = await defaultEnvironment(queryClient, id);
    await navigate({ to: '/w/$workspace/$environment', params: { workspace: slug, environment } });
  };
  return (
    <>
      <Menu position="bottom-start" width={240}>
        <Menu.Target>
          <Button variant="subtle" color="gray" px="sm" rightSection={<Icon name="down" size={13} />} maw={180}>
            {workspace.name}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Label>Workspaces</Menu.Label>
          {workspaces.map((one) => (
            <Menu.Item
              key={one.id}
              onClick={() => void open(one).catch(announceFailure)}
              rightSection={one.id === workspace.id ? <Icon name="check" size={13} /> : null}
            >
              {one.name}
            </Menu.Item>
          ))}
          <Menu.Divider />
          <Menu.Item onClick={() => setCreating(true)}>New workspace …</Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {isCreating ? (
        <Suspense fallback={null}>
          <NewWorkspaceSheet onClose={() => setCreating(false)} />
        </Suspense>
      ) : null}
    </>
  );
}
