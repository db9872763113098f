import { type CSSProperties, createElement, type ReactNode, useEffect, useRef, useState } from 'react';

/** The response of your server: the `url` of the portal session that it created. */
export type PosthornPortalSession = { url: string };

export type PosthornPortalProps = {
  /** Asks your server for a portal session. It is called again when the session has ended. */
  session: () => Promise<PosthornPortalSession>;
  /** The name of the frame for screen readers. The default is `Webhooks`. */
  title?: string;
  /** The height in pixels until the portal reports its own. The default is 480. */
  minHeight?: number;
  className?: string;
  style?: CSSProperties;
  /** Shown until there is a session. */
  loading?: ReactNode;
  /** Shown when `session` fails. `retry` asks again. */
  renderError?: (error: unknown, retry: () => void) => ReactNode;
};

/**
 * The customer portal in a frame as high as its content. The origin of your page must be one of the workspace's
 * `portalOrigins`.
 */
export function PosthornPortal(props: PosthornPortalProps): ReactNode {
  const { session, title = 'Webhooks', minHeight = 480, className, style, loading = null, renderError } = props;
  const [turn, setTurn] = useState(0);
  const [url, setUrl] = useState<string | null>(null);
  const [failure, setFailure] = useState<{ error: unknown } | null>(null);
  const [height, setHeight] = useState(minHeight);
  const frame = useRef<HTMLIFrameElement>(null);
  // In a ref, so that a new function at each render does not ask for a new session.
  const ask = useRef(session);
  ask.current = session;

  // biome-ignore lint/correctness/useExhaustiveDependencies: each turn asks for a session
  useEffect(() => {
    let isCurrent = true;
    setFailure(null);
    openSession(ask.current).then(
      (opened) => isCurrent && setUrl(opened),
      (error: unknown) => {
        if (!isCurrent) return;
        // Drop the frame of the ended session, so that it does not come back with the next try.
        setUrl(null);
        setFailure({ error });
      },
    );
    return () => {
      isCurrent = false;
    };
  }, [turn]);

  useEffect(() => {
    if (url === null) return undefined;
    const { origin } = new URL(url);
    const listen = (event: MessageEvent<unknown>) => {
      if (event.origin !== origin || event.source !== frame.current?.contentWindow) return;
      const { type, height: told } = readMessage(event.data);
      if (type === 'posthorn.portal.height' && told !== undefined) setHeight(told);
      // Only a session that has worked reports its end, so a session that never works does not cause endless requests.
      if (type === 'posthorn.portal.ended') setTurn((before) => before + 1);
    };
    window.addEventListener('message', listen);
    return () => window.removeEventListener('message', listen);
  }, [url]);

  if (failure !== null) return renderError?.(failure.error, () => setTurn((before) => before + 1)) ?? null;
  if (url === null) return loading;
  return createElement('iframe', {
    // A URL that differs only in the token of its fragment would not load the page again.
    key: url,
    ref: frame,
    src: url,
    title,
    className,
    allow: 'clipboard-write',
    // In Firefox, the portal knows your page only by its referrer, which your server may have disabled (helmet does).
    referrerPolicy: 'strict-origin',
    style: { display: 'block', width: '100%', border: 0, ...style, height: Math.max(height, minHeight) },
  });
}

/** Asks for a new session, and returns its URL. Throws if the answer has none, such as a JSON error of your server. */
export async function openSession(session: PosthornPortalProps['session']): Promise<string> {
  const opened: Partial<PosthornPortalSession> | null = await session();
  const url: unknown = opened?.url;
  if (typeof url === 'string' && isUrl(url)) return url;
  throw new TypeError('`session` must return the answer to a new portal session, which has its `url`');
}

/** `URL.canParse` is wrong on Node 20 and 22 for addresses with é, ü, ß or ñ, and older browsers have none. */
function isUrl(text: string): boolean {
  try {
    return new URL(text).href !== '';
  } catch {
    return false;
  }
}

function readMessage(data: unknown): { type?: unknown; height?: number } {
  if (typeof data !== 'object' || data === null) return {};
  const height: unknown = Reflect.get(data, 'height');
  return { type: Reflect.get(data, 'type'), ...(typeof height === 'number' && height > 0 && { height }) };
}
