import { Component, type ReactNode } from 'react';
import { ErrorNotice } from '../../components/error-notice.tsx';

type State = { failure: { error: unknown } | null };

/**
 * In the place of a page that failed: what happened, and a way to try again. The frame around it stays. React has this as a
 * class alone.
 */
export class PageBoundary extends Component<{ children: ReactNode }, State> {
  override state: State = { failure: null };

  static getDerivedStateFromError(error: unknown): State {
    return { failure: { error } };
  }

  override render(): ReactNode {
    const { failure } = this.state;
    if (failure === null) return this.props.children;
    const retry = () => this.setState({ failure: null });
    return <ErrorNotice title="This page could not be shown" error={failure.error} onRetry={retry} />;
  }
}
