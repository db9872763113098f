import { Anchor, Text } from '@mantine/core';
import { useState } from 'react';
import { useShowCurrent } from '../../components/use-show-current.ts';
import { t } from '../../language/language.ts';
import { type Capability, useSession } from '../session.ts';
import { hrefOf, type Page, useView } from '../view.ts';
import { CurrentPage } from './current-page.tsx';
import classes from './frame.module.css';

type Row = { page: Page; label: string; needs?: Capability };

const ROWS: readonly Row[] = [
  { page: 'endpoints', label: t('Endpoints'), needs: 'endpoints:read' },
  { page: 'event-types', label: t('Event catalogue'), needs: 'endpoints:read' },
  { page: 'messages', label: t('Messages'), needs: 'deliveries:read' },
  { page: 'statistics', label: t('Statistics'), needs: 'deliveries:read' },
  { page: 'alerts', label: t('Alerts'), needs: 'alerts:write' },
  { page: 'activity', label: t('Activity'), needs: 'endpoints:read' },
  { page: 'verifier', label: t('Verifier') },
  { page: 'agent', label: t('Agent'), needs: 'endpoints:read' },
];

/** The frame: the company's logo, the customer's name, the pages that the session allows, and the current page. */
export function Frame() {
  const { capabilities, applicationName, returnUrl } = useSession();
  const view = useView();
  const rows = ROWS.filter(({ needs }) => needs === undefined || capabilities.includes(needs));
  const page = pageOf(view.page, rows);
  const nav = useShowCurrent<HTMLElement>(page);
  return (
    <div className={classes.page}>
      <header className={classes.top}>
        <Logo />
        <Text fw={600} size="md" truncate="end">
          {applicationName}
        </Text>
        {returnUrl === null ? null : (
          <Anchor href={returnUrl} target="_top" rel="noreferrer" size="sm" ml="auto">
            {t('Back')}
          </Anchor>
        )}
      </header>
      <nav ref={nav.ref} className={`${classes.nav} ${nav.className}`} aria-label={t('Pages')}>
        {rows.map(({ page: one, label }) => (
          <a
            key={one}
            href={hrefOf(one)}
            className={classes.link}
            {...(one === sectionOf(page) && { 'aria-current': 'page' })}
          >
            {label}
          </a>
        ))}
      </nav>
      <main>
        <CurrentPage key={`${page}/${view.id}`} view={page === view.page ? view : { page, id: null, tab: null }} />
      </main>
    </div>
  );
}

/** The page in the address, or the first page that the session allows. */
function pageOf(page: Page, rows: readonly Row[]): Page {
  return rows.some((row) => row.page === sectionOf(page, rows)) ? page : (rows[0]?.page ?? 'verifier');
}

/**
 * The section of a page. A delivery belongs to the endpoints, or to the messages if the session may not read endpoints.
 */
function sectionOf(page: Page, rows: readonly Row[] = ROWS): Page {
  if (page !== 'deliveries') return page;
  return rows.some((row) => row.page === 'endpoints') ? 'endpoints' : 'messages';
}

/** The logo of the session's theme. Empty if it cannot be loaded. */
function Logo() {
  const { theme } = useSession();
  const [isBroken, setBroken] = useState(false);
  if (theme?.logoUrl === undefined || isBroken) return null;
  return (
    <img
      src={theme.logoUrl}
      alt=""
      className={classes.logo}
      referrerPolicy="no-referrer"
      onError={() => setBroken(true)}
    />
  );
}
