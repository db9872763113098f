import { createContext, useContext } from 'react';
import type { components } from '../generated/api.ts';

export type PortalSession = components['schemas']['OwnPortalSession'];
export type Capability = components['schemas']['Capability'];

export const SessionContext = createContext<PortalSession | null>(null);

/** The session of this page; only below the frame, which waits for it. */
export function useSession(): PortalSession {
  const session = useContext(SessionContext);
  if (session === null) throw new Error('There is no portal session around this component');
  return session;
}

/** Whether the session allows it. What is not allowed is not offered; the service refuses it in any case. */
export function useMay(capability: Capability): boolean {
  return useSession().capabilities.includes(capability);
}
