import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Delivery, Endpoint, EventType } from '../../../client/resources.ts';
import { usePlace } from '../../place.ts';
import { eventTypesQuery, visibilityQuery } from '../event-types/event-type-queries.ts';
import { EXAMPLE_TYPE } from './example.ts';
import { inboxQuery, subscribersQuery } from './get-started-queries.ts';
import { isWorkingPlayground } from './working-playground.ts';

export type GetStarted = {
  typeName: string;
  setTypeName: (name: string) => void;
  /** The event type with this name, if it is published in the environment. */
  type: EventType | undefined;
  /** A playground that subscribes to the type, and responds so that the steps succeed. */
  endpoint: Endpoint | undefined;
  /** The customer to whom the events are sent: an id, or `*`. Undefined until there is a playground. */
  application: string | null | undefined;
  /** Kept in memory only: a reload forgets it. */
  apiKey: string | undefined;
  setApiKey: (key: string) => void;
  /** A management token of the workspace for the commands. It is also kept in memory only. */
  token: string | undefined;
  setToken: (token: string) => void;
  /** The events that the playground received, newest first. */
  inbox: readonly Delivery[];
  isLoading: boolean;
};

/** The progress of the steps. Earlier results count, so the reader can leave the page and come back. */
export function useGetStarted(): GetStarted {
  const place = usePlace();
  const [typeName, setTypeName] = useState(EXAMPLE_TYPE);
  const [apiKey, setApiKey] = useState<string>();
  const [token, setToken] = useState<string>();
  const types = useQuery(eventTypesQuery(place.workspace.id));
  const visibility = useQuery(visibilityQuery(place.workspace.id, place.environment.id));
  const published = visibility.data?.find((entry) => entry.eventTypeName === typeName)?.published ?? false;
  const type = published ? types.data?.find(({ name }) => name === typeName) : undefined;
  const subscribers = useQuery(subscribersQuery(place, type?.id));
  // A workspace on the free plan has no customers.
  const isFree = place.workspace.plan === 'free';
  const endpoint = subscribers.data?.find((one) => isWorkingPlayground(one) && (isFree || one.applicationId !== null));
  const inbox = useQuery(inboxQuery(place, endpoint?.id));
  return {
    typeName,
    setTypeName,
    type,
    endpoint,
    application: isFree ? ALL_CUSTOMERS : endpoint?.applicationId,
    apiKey,
    setApiKey,
    token,
    setToken,
    inbox: inbox.data?.deliveries ?? NO_DELIVERIES,
    isLoading: types.isLoading || visibility.isLoading || subscribers.isLoading,
  };
}

/** `X-Application-Id: *` (docs/interface.md, Application of an event). */
const ALL_CUSTOMERS = '*';

const NO_DELIVERIES: readonly Delivery[] = [];
