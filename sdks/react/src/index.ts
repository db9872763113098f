export {
  type ListState,
  PosthornProvider,
  type PosthornProviderProps,
  type PosthornSession,
  useDeliveries,
  useEndpoints,
  useEvents,
  useEventTypes,
  usePosthorn,
} from './hooks.ts';
export { PosthornPortal, type PosthornPortalProps, type PosthornPortalSession } from './posthorn-portal.ts';
