import { readDelivery, type Watch } from '../../../components/live/use-live-rows.ts';

const AGAIN_MS = 10_000;

/**
 * The live view of an environment. The browser opens a stream again that broke off, but not one that was refused, such as
 * while the API starts. Each time but the first one that it is opened, also by another call of the returned function,
 * there is a gap (docs/interface.md, Live view).
 */
export function watchEnvironment(workspaceId: string, environmentId: string): Watch {
  let hasOpened = false;
  return ({ onState, onDelivery, onGap }) => {
    let source: EventSource | undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const open = () => {
      const opened = new EventSource(`/api/workspaces/${workspaceId}/live?environment_id=${environmentId}`);
      source = opened;
      opened.onopen = () => {
        onState(true);
        if (hasOpened) onGap();
        hasOpened = true;
      };
      opened.onerror = () => {
        onState(false);
        if (opened.readyState === EventSource.CLOSED) timer = setTimeout(open, AGAIN_MS);
      };
      opened.addEventListener('delivery', ({ data }) => onDelivery(readDelivery(data)));
      opened.addEventListener('gap', onGap);
    };
    open();
    return () => {
      clearTimeout(timer);
      source?.close();
    };
  };
}
