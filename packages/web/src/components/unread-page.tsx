import { EmptyState, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { isGone } from '../client/api-error.ts';
import { ErrorNotice } from './error-notice.tsx';
import { PageHeader } from './page-header.tsx';

type Props = {
  /** What the page is about: `delivery`. */
  of: string;
  error: unknown;
  onRetry: () => void;
  /** Why there may be none with the id of the address. */
  why: string;
  /** The button that leads on. */
  wayOn: ReactNode;
};

/** In the place of a page that could not be read: that there is no such thing, and a way on; else the error. */
export function UnreadPage({ of, error, onRetry, why, wayOn }: Props) {
  if (isGone(error)) {
    return (
      <EmptyState p="xl" title={<Title order={1}>There is no such {of}</Title>} description={why}>
        <EmptyState.Actions>{wayOn}</EmptyState.Actions>
      </EmptyState>
    );
  }
  return (
    <>
      <PageHeader title={of.charAt(0).toUpperCase() + of.slice(1)} />
      <ErrorNotice title={`The ${of} could not be loaded`} error={error} onRetry={onRetry} />
    </>
  );
}
