import { useHotkeys } from '@mantine/hooks';
import { useNavigate } from '@tanstack/react-router';
import { useRef } from 'react';
import { nowMs } from '../../clock.ts';
import { isDialogOpen } from '../../components/is-dialog-open.ts';
import { usePlace } from '../place.ts';
import { NAV_ROWS } from './nav-rows.ts';

const WITHIN_MS = 1_500;

/** `g`, then the key of a page, goes there. */
export function useGoKeys(): void {
  const { workspace, environment } = usePlace();
  const navigate = useNavigate();
  const pressedAt = useRef(0);
  const params = { workspace: workspace.slug, environment: environment.slug };
  const go = (to: (typeof NAV_ROWS)[number]['to']) => {
    if (nowMs() - pressedAt.current < WITHIN_MS) void navigate({ to, params });
  };
  // A key in a dialog must not leave the page: the dialog may show a secret that is shown once.
  const press = () => {
    pressedAt.current = isDialogOpen() ? 0 : nowMs();
  };
  useHotkeys([['g', press], ...NAV_ROWS.map(({ go: key, to }): [string, () => void] => [key, () => go(to)])]);
}
