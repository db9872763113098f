import { Button, Menu } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { announceFailure } from '../../components/announce-change.tsx';
import { Icon } from '../../components/icon.tsx';
import { defaultEnvironment, usePlace } from '../place.ts';

/** The workspace that one is in, and the way to another one: its default environment. */
export function WorkspaceMenu() {
  const { workspace, workspaces } = usePlace();
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const open = async ({ id, slug }: { id: string; slug: string }) => {
    const environment = await defaultEnvironment(queryClient, id);
    await navigate({ to: '/w/$workspace/$environment', params: { workspace: slug, environment } });
  };
  return (
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
      </Menu.Dropdown>
    </Menu>
  );
}
