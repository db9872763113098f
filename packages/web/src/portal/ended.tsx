import { Button, EmptyState } from '@mantine/core';
import { t } from '../language/language.ts';
import type { Access } from './access.ts';
import { keptReturnUrl } from './return-url.ts';

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

/** The page without a session: why, and the way back. */
export function Ended({ access }: { access: Exclude<Access, 'open'> }) {
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
