import { Box, Button, EmptyState, Skeleton } from '@mantine/core';
import type { QueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { api } from '../client/api.ts';
import { nowMs } from '../clock.ts';
import { ErrorNotice } from '../components/error-notice.tsx';
import { t } from '../language/language.ts';
import { AppProvider } from '../theme/app-provider.tsx';
import { type Access, useAccess } from './access.ts';
import { Frame } from './frame/frame.tsx';
import { keepReturnUrl, keptReturnUrl } from './return-url.ts';
import { type PortalSession, SessionContext } from './session.ts';
import { useToldEnd, useToldHeight } from './tell-parent.ts';

/** The customer's portal, in the look of the session's theme. */
export function Portal({ queryClient }: { queryClient: QueryClient }) {
  const access = useAccess();
  const session = api.useQuery('get', '/api/portal/session', {}, { enabled: access === 'open' }, queryClient);
  useKept(session.data, session.refetch);
  useToldHeight(session.data?.portalOrigins);
  useToldEnd(access);
  return (
    <AppProvider queryClient={queryClient} brand={session.data?.theme ?? undefined}>
      {access !== 'open' ? (
        <Ended access={access} />
      ) : session.data !== undefined ? (
        <SessionContext value={session.data}>
          <Frame />
        </SessionContext>
      ) : (
        <Box p="lg" maw={1280} mx="auto">
          {session.error ? (
            <ErrorNotice
              title={t('The page could not be loaded')}
              error={session.error}
              onRetry={() => void session.refetch()}
            />
          ) : (
            <Skeleton height={24} width={220} />
          )}
        </Box>
      )}
    </AppProvider>
  );
}

/**
 * Keeps the return URL, and refetches the session at its end. The response, and not the browser's clock, ends the page.
 */
function useKept(session: PortalSession | undefined, refetch: () => Promise<unknown>): void {
  const { returnUrl = null, expiresAt } = session ?? {};
  useEffect(() => (returnUrl === null ? undefined : keepReturnUrl(returnUrl)), [returnUrl]);
  useEffect(() => {
    if (expiresAt === undefined) return undefined;
    const timer = setTimeout(() => void refetch(), Date.parse(expiresAt) - nowMs());
    return () => clearTimeout(timer);
  }, [expiresAt, refetch]);
}

const WORDS = {
  missing: {
    title: t('Open the link again'),
    description: t('For your safety this page keeps nothing in the browser, so a reload needs the link again.'),
  },
  ended: {
    title: t('This session has ended'),
    description: t('Open it again from the site that linked to it.'),
  },
};

/** Shown without a session: the reason, and a link back. */
function Ended({ access }: { access: Exclude<Access, 'open'> }) {
  const returnUrl = keptReturnUrl();
  return (
    <EmptyState p="xl" {...WORDS[access]}>
      {returnUrl === null ? null : (
        <EmptyState.Actions>
          <Button component="a" href={returnUrl} target="_top" rel="noreferrer">
            {t('Go back')}
          </Button>
        </EmptyState.Actions>
      )}
    </EmptyState>
  );
}
