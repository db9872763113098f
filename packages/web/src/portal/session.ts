import { createContext, useContext } from 'react';
import type { components } from '../generated/api.ts';

export type PortalSession = components['schemas']['OwnPortalSession'];
export type Capability = components['schemas']['Capability'];

export const SessionContext = createContext<PortalSession | null>(null);

/** The session of this page. Use it only inside the frame, which waits for the session. */
export function useSession(): PortalSession {
  const session = useContext(SessionContext);
  if (session === null) throw new Error('There is no portal session around this component');
  return session;
}

/** True if the session has the capability. Actions without it are hidden; the service refuses them in any case. */
export function useMay(capability: Capability): boolean {
  return useSession().capabilities.includes(capability);
}
