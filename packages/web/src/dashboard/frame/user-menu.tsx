import { ActionIcon, type MantineColorScheme, Menu, Text, useMantineColorScheme } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { api } from '../../client/api.ts';
import { isUnauthorized } from '../../client/api-error.ts';
import { announceFailure } from '../../components/announce-change.tsx';
import { Icon } from '../../components/icon.tsx';
import { usePlace } from '../place.ts';

const THEMES: [MantineColorScheme, string][] = [
  ['auto', 'As the system'],
  ['light', 'Light'],
  ['dark', 'Dark'],
];

/** Who is logged in, the way to the account, the theme, and the way out. */
export function UserMenu() {
  const { user } = usePlace();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const logOut = useLogOut();
  const initials = user.email.slice(0, 2).toUpperCase();
  return (
    <Menu position="bottom-end" width={240}>
      <Menu.Target>
        <ActionIcon variant="default" radius="xl" size={30} aria-label={`${initials}, account of ${user.email}`}>
          <Text size="xs" fw={500}>
            {initials}
          </Text>
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{user.email}</Menu.Label>
        <Menu.Item component={Link} from="/w/$workspace/$environment" to="/w/$workspace/$environment/account">
          Account
        </Menu.Item>
        <Menu.Divider />
        <Menu.Label>Theme</Menu.Label>
        {THEMES.map(([scheme, words]) => (
          <Menu.Item
            key={scheme}
            closeMenuOnClick={false}
            onClick={() => setColorScheme(scheme)}
            rightSection={scheme === colorScheme ? <Icon name="check" size={13} /> : null}
          >
            {words}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Item onClick={logOut}>Log out</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

/** Ends the session. The cache is emptied, so that nothing of it stays on the screen of a shared computer. */
function useLogOut(): () => void {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const leave = async () => {
    await navigate({ to: '/login', search: { returnTo: '/' } });
    queryClient.clear();
  };
  const { mutate } = api.useMutation('post', '/api/auth/logout', {
    onSuccess: leave,
    // A session that goes on must not look ended.
    onError: (error) => (isUnauthorized(error) ? leave() : announceFailure(error)),
  });
  return () => mutate({});
}
