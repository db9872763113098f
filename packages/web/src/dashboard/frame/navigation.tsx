import { NavLink, Stack, Text, Tooltip, useMatches, VisuallyHidden } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useLocation } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Icon } from '../../components/icon.tsx';
import { MenuLink } from '../../components/links.tsx';
import { endpointTotalsQuery, failingEndpoints } from '../pages/endpoints/endpoint-totals.ts';
import { dayTotalsQuery } from '../pages/overview/overview-queries.ts';
import { usePlace } from '../place.ts';
import classes from './frame.module.css';
import { NAV_ROWS } from './nav-rows.ts';

/** The side bar. Folded, it shows icons: each shows its label on hover, and keeps it for screen readers. */
export function Navigation({ onNavigate }: { onNavigate: () => void }) {
  const isFolded = useMatches({ base: false, sm: true, lg: false });
  const badges = useBadges();
  const page = useLocation({ select: ({ pathname }) => pathname.split('/')[4] });
  return (
    <Stack gap={2} h="100%" component="nav" aria-label="Pages">
      {NAV_ROWS.map(({ to, label, icon, ...row }) => (
        <Tooltip
          key={to}
          label={badges[label]?.words ?? label}
          position="right"
          disabled={!isFolded && badges[label] === undefined}
        >
          <MenuLink
            from="/w/$workspace/$environment"
            to={to}
            label={label}
            {...(isFolded && { 'aria-label': [label, badges[label]?.words].filter(Boolean).join(', ') })}
            leftSection={<Icon name={icon} />}
            rightSection={isFolded ? null : badges[label]?.count}
            className={classes.link}
            {...('also' in row && row.also === page && { 'data-within': true })}
            onClick={onNavigate}
          />
        </Tooltip>
      ))}
      <Stack gap={2} mt="auto">
        {REFERENCES.map(({ href, label, icon }) => (
          <Tooltip key={href} label={label} position="right" disabled={!isFolded}>
            <NavLink
              component="a"
              href={href}
              label={label}
              aria-label={label}
              leftSection={<Icon name={icon} />}
              className={classes.link}
            />
          </Tooltip>
        ))}
      </Stack>
    </Stack>
  );
}

/** Other pages that the API process serves, at the bottom of the navigation. */
const REFERENCES = [
  { href: '/docs', label: 'Documentation', icon: 'docs' },
  { href: '/reference', label: 'API reference', icon: 'reference' },
] as const;

type Badge = { count: ReactNode; words: string };

/** The counts of problems to look at, by the label of the row that leads to them. */
function useBadges(): Readonly<Record<string, Badge | undefined>> {
  const place = usePlace();
  const endpoints = useQuery(endpointTotalsQuery(place));
  const all = useQuery(dayTotalsQuery(place));
  const failing = failingEndpoints(endpoints.data);
  const deadLetters = all.data?.totals?.deadLettered ?? 0;
  const badge = (count: number, ink: string, words: string): Badge => ({
    count: (
      <Text size="xs" c={`var(--${ink}-ink)`}>
        {count.toLocaleString('en')} <VisuallyHidden component="span">{words}</VisuallyHidden>
      </Text>
    ),
    words: `${count.toLocaleString('en')} ${words}`,
  });
  return {
    ...(deadLetters > 0 && { Deliveries: badge(deadLetters, 'dead_letter', deadLetterWords(deadLetters)) }),
    ...(failing.count > 0 && { Endpoints: badge(failing.count, 'failed', failingWords(failing.areOthersUnknown)) }),
  };
}

/** Says "became", because a retry may have delivered them since. */
function deadLetterWords(count: number): string {
  return count === 1 ? 'became a dead letter in 24 hours' : 'became dead letters in 24 hours';
}

function failingWords(areOthersUnknown: boolean): string {
  return `${areOthersUnknown ? 'of the 50 busiest ' : ''}without a success in 24 hours`;
}
