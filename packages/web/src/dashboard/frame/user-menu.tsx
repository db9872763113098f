import { ActionIcon, type MantineColorScheme, Menu, Text, useMantineColorScheme } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { Icon } from '../../components/icon.tsx';
import { usePlace } from '../place.ts';
import { useLogOut } from './use-log-out.ts';

const THEMES: [MantineColorScheme, string][] = [
  ['auto', 'As the system'],
  ['light', 'Light'],
  ['dark', 'Dark'],
];

/** The user's address, a link to the account, the theme, and the logout button. */
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
