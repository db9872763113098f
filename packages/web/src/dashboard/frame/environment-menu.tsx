import { Button, Menu } from '@mantine/core';
import { useMatches, useNavigate } from '@tanstack/react-router';
import { Icon } from '../../components/icon.tsx';
import { environmentColour } from '../environment-colour.ts';
import { usePlace } from '../place.ts';
import classes from './frame.module.css';
import { NAV_ROWS } from './nav-rows.ts';

/** Shows the current environment in its colour. Choosing another one opens the same list there, without its filters. */
export function EnvironmentMenu() {
  const { workspace, environment, environments } = usePlace();
  const path = useMatches({ select: (matches) => matches.at(-1)?.fullPath ?? '' });
  const navigate = useNavigate();
  const open = (slug: string) => {
    const list = NAV_ROWS.find(({ to }) => path.startsWith(to));
    const params = { workspace: workspace.slug, environment: slug };
    void navigate({ to: list?.to ?? '/w/$workspace/$environment', params });
  };
  const dot = (slug: string) => <span className={classes.dot} style={{ background: environmentColour(slug) }} />;
  return (
    <Menu position="bottom-end" width={240}>
      <Menu.Target>
        <Button
          variant="default"
          aria-label={`Environment: ${environment.name}`}
          leftSection={dot(environment.slug)}
          rightSection={<Icon name="down" size={13} />}
          maw={170}
        >
          {environment.name}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>Environments</Menu.Label>
        {environments.map(({ id, name, slug }) => (
          <Menu.Item
            key={id}
            leftSection={dot(slug)}
            rightSection={id === environment.id ? <Icon name="check" size={13} /> : null}
            onClick={() => open(slug)}
          >
            {name}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
