import { EmptyState, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { isGone } from '../client/api-error.ts';
import { t } from '../language/language.ts';
import { ErrorNotice } from './error-notice.tsx';
import { PageHeader, usePageTitle } from './page-header.tsx';

type Props = {
  /** The subject of the page, such as `delivery`. */
  of: 'customer' | 'delivery' | 'event' | 'message' | 'endpoint';
  error: unknown;
  onRetry: () => void;
  /** Why there may be nothing with the id in the address. */
  why: string;
  /** A button that leads elsewhere. */
  wayOn: ReactNode;
};

const TITLES = {
  customer: t('Customer'),
  delivery: t('Delivery'),
  event: t('Event'),
  message: t('Message'),
  endpoint: t('Endpoint'),
} as const satisfies Record<Props['of'], string>;

/** Shown instead of a page that could not be read: its subject does not exist, with a way on, or else the error. */
export function UnreadPage({ of, error, onRetry, why, wayOn }: Props) {
  if (isGone(error)) return <Gone of={of} why={why} wayOn={wayOn} />;
  return (
    <>
      <PageHeader title={TITLES[of]} />
      <ErrorNotice title={t(`The ${of} could not be loaded`)} error={error} onRetry={onRetry} />
    </>
  );
}

function Gone({ of, why, wayOn }: Pick<Props, 'of' | 'why' | 'wayOn'>) {
  usePageTitle(TITLES[of]);
  return (
    <EmptyState p="xl" title={<Title order={1}>{t(`There is no such ${of}`)}</Title>} description={why}>
      <EmptyState.Actions>{wayOn}</EmptyState.Actions>
    </EmptyState>
  );
}
