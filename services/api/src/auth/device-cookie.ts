import { newUuid, uuidTime } from '@posthorn/contract/ids';
import { openCursor, sealCursor } from '@posthorn/crypto/cursor';
import type { Request, Response } from 'express';
import type { Services } from '../http/context.ts';
import { cookieAttributes, readCookie } from './session-cookie.ts';

/**
 * Marks a browser in which an account has logged in (the device cookie of OWASP). It allows nothing. Attempts from such
 * a browser are counted apart, so that attempts at the account from elsewhere do not delay them.
 */
export type DeviceCookie = {
  /** The id of the browser, if this account was the last one that logged in there, in the last 180 days. */
  read: (request: Request, account: string) => string | undefined;
  /** Gives the browser a new id. */
  set: (response: Response, account: string) => void;
};

const NAME = 'posthorn_device';
const KEPT_MS = 180 * 86_400_000;

/** The id is sealed for the account, like a page cursor for its list: nobody else can make one. */
export function createDeviceCookie({
  cursorKeys,
  settings,
  clock,
}: Pick<Services, 'cursorKeys' | 'settings' | 'clock'>): DeviceCookie {
  const attributes = { ...cookieAttributes(settings.baseUrl), path: '/api/auth/login', maxAge: KEPT_MS };
  return {
    read(request, account) {
      const id = openCursor(cursorKeys, readCookie(request, NAME) ?? '', contextOf(account));
      if (typeof id !== 'string') return undefined;
      // A client may keep the cookie for longer than it should.
      return clock.now().getTime() - uuidTime(id).getTime() < KEPT_MS ? id : undefined;
    },
    set(response, account) {
      response.cookie(NAME, sealCursor(cursorKeys, newUuid(clock.now()), contextOf(account)), attributes);
    },
  };
}

function contextOf(account: string): string {
  return `device of ${account}`;
}
