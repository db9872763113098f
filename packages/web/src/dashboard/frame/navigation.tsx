import { NavLink, Stack, Tooltip, useMatches } from '@mantine/core';
import { Icon } from '../../components/icon.tsx';
import { MenuLink } from '../../components/links.tsx';
import classes from './frame.module.css';
import { NAV_ROWS } from './nav-rows.ts';

/** The side bar. Folded to icons, each shows its word on hover and keeps it for screen readers. */
export function Navigation({ onNavigate }: { onNavigate: () => void }) {
  const isFolded = useMatches({ base: false, sm: true, lg: false });
  return (
    <Stack gap={2} h="100%" component="nav" aria-label="Pages">
      {NAV_ROWS.map(({ to, label, icon }) => (
        <Tooltip key={to} label={label} position="right" disabled={!isFolded}>
          <MenuLink
            from="/w/$workspace/$environment"
            to={to}
            label={label}
            aria-label={label}
            leftSection={<Icon name={icon} />}
            className={classes.link}
            onClick={onNavigate}
          />
        </Tooltip>
      ))}
      <Tooltip label="API reference" position="right" disabled={!isFolded}>
        <NavLink
          component="a"
          href="/reference"
          label="API reference"
          aria-label="API reference"
          leftSection={<Icon name="reference" />}
          className={classes.link}
          mt="auto"
        />
      </Tooltip>
    </Stack>
  );
}
