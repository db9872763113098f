import { AppShell, Burger, Group, Text } from '@mantine/core';
import { useDisclosure, useHotkeys } from '@mantine/hooks';
import { Link, Outlet, useNavigate } from '@tanstack/react-router';
import { useRef } from 'react';
import { nowMs } from '../../clock.ts';
import { isDialogOpen } from '../../components/is-dialog-open.ts';
import logo from '../../theme/icon.svg';
import { environmentColour } from '../environment-colour.ts';
import { OperationsIndicator } from '../operations/operations-indicator.tsx';
import { usePlace } from '../place.ts';
import { EnvironmentMenu } from './environment-menu.tsx';
import classes from './frame.module.css';
import { HelpDialog } from './help-dialog.tsx';
import { NAV_ROWS } from './nav-rows.ts';
import { Navigation } from './navigation.tsx';
import { SearchDialog } from './search-dialog.tsx';
import { UserMenu } from './user-menu.tsx';
import { WorkspaceMenu } from './workspace-menu.tsx';

/** The frame around every page. The side bar folds to icons below 1,200 px, and to a drawer below 768 px. */
export function Frame() {
  const { environment } = usePlace();
  const [opened, { toggle, close }] = useDisclosure();
  useGoKeys();
  return (
    <AppShell
      header={{ height: 50 }}
      navbar={{ width: { base: 260, sm: 56, lg: 220 }, breakpoint: 'sm', collapsed: { mobile: !opened } }}
      padding={{ base: 'md', sm: 'lg' }}
    >
      <AppShell.Header className={classes.header} style={{ borderBottomColor: environmentColour(environment.slug) }}>
        <Group h="100%" px="md" gap="sm" wrap="nowrap">
          <Burger opened={opened} onClick={toggle} hiddenFrom="sm" size="xs" aria-label="Menu" />
          <Group component={'div'} gap={6} wrap="nowrap" className={classes.name}>
            <img src={logo} alt="" width={20} height={20} />
            <Text component={Link} to="/" fw={600} size="md" c="inherit" td="none">
              Posthorn
            </Text>
          </Group>
          <WorkspaceMenu />
          <Group ml="auto" gap="sm" wrap="nowrap">
            <OperationsIndicator />
            <EnvironmentMenu />
            <SearchDialog />
            <HelpDialog />
            <UserMenu />
          </Group>
        </Group>
      </AppShell.Header>
      <AppShell.Navbar className={classes.navbar} p="sm">
        <Navigation onNavigate={close} />
      </AppShell.Navbar>
      <AppShell.Main className={classes.main}>
        <div className={classes.content}>
          <Outlet />
        </div>
      </AppShell.Main>
    </AppShell>
  );
}

const WITHIN_MS = 1_500;

/** After `g`, the key of a page opens that page. */
function useGoKeys(): void {
  const { workspace, environment } = usePlace();
  const navigate = useNavigate();
  const pressedAt = useRef(0);
  const params = { workspace: workspace.slug, environment: environment.slug };
  const go = (to: (typeof NAV_ROWS)[number]['to']) => {
    if (nowMs() - pressedAt.current < WITHIN_MS) void navigate({ to, params });
  };
  // A key in a dialog must not leave the page: the dialog may show a secret that is shown only once.
  const press = () => {
    pressedAt.current = isDialogOpen() ? 0 : nowMs();
  };
  useHotkeys([['g', press], ...NAV_ROWS.map(({ go: key, to }): [string, () => void] => [key, () => go(to)])]);
}
