import type { Clock } from '@posthorn/runtime/clock';
import type { Response } from 'express';
import { createRateLimit } from '../operation/rate-limit.ts';

/** The agent of a challenge, the owner of its workspace, and the callback. */
export type ChallengeTo = { principal: string; ownerId: string; url: string };
/** Takes one challenge of each rate, or throws `rate_limited`. */
export type SpendChallenge = (to: ChallengeTo) => void;

/** A challenge is a request to an address that an agent chose: few of them for an agent, and few to one host. */
const OF_AGENT_PER_MINUTE = 10;

type Deps = { clock: Clock; challengesPerHost: number };

/**
 * The limits of this process. An owner of workspaces may use half of the challenges to a host, because agents of many
 * tenants have their callbacks at the same few hosts.
 */
export function createChallengeLimits({ clock, challengesPerHost }: Deps): SpendChallenge {
  const limitOf = (perMinute: number, caller: string) =>
    createRateLimit({ clock, perSecond: perMinute / 60, burstSeconds: 60, caller });
  const perAgent = limitOf(OF_AGENT_PER_MINUTE, 'This agent');
  const perOwnerAtHost = limitOf(challengesPerHost / 2, 'Challenges of one account to this host');
  const perHost = limitOf(challengesPerHost, 'Challenges to this host');
  return ({ principal, ownerId, url }) => {
    // All ports of a name are one host, and so is the name with a dot at its end.
    const host = new URL(url).hostname.replace(/\.$/, '');
    perAgent(NO_HEADERS, principal);
    perOwnerAtHost(NO_HEADERS, `${ownerId} ${host}`);
    perHost(NO_HEADERS, host);
  };
}

/** The answer of the protocol reports the limits of challenges, so headers are ignored. */
const NO_HEADERS = { get: () => '-1', set: () => NO_HEADERS } as unknown as Response;
