import { newUuid, uuidTime } from '@posthorn/contract/ids';
import { openCursor, sealCursor } from '@posthorn/crypto/cursor';
import type { Request, Response } from 'express';
import type { Services } from '../operation/context.ts';
import { cookieAttributes, readCookie } from './session-cookie.ts';

/**
 * Marks a browser in which an account has logged in (the device cookie of OWASP). It allows nothing. Attempts from such
 * a browser are counted apart, so that attempts at the account from elsewhere do not delay them.
 */
export type DeviceCookie = {
  /** The id of the browser, if the user was the last to log in there, within 180 days and with the present password. */
  read: (request: Request, user: DeviceUser) => string | undefined;
  /** Gives the browser a new id. */
  set: (response: Response, user: DeviceUser) => void;
};

export type DeviceUser = { id: string; passwordHash: string | null };

const NAME = 'posthorn_device';
const KEPT_MS = 180 * 86_400_000;

/**
 * The id is sealed for the user, like a page cursor for its list: nobody else can make one. It is also sealed for the
 * password: a changed password ends the ids of a person who knew the earlier one.
 */
export function createDeviceCookie({
  cursorKeys,
  settings,
  clock,
}: Pick<Services, 'cursorKeys' | 'settings' | 'clock'>): DeviceCookie {
  const attributes = { ...cookieAttributes(settings.baseUrl), path: '/api/auth/login', maxAge: KEPT_MS };
  return {
    read(request, user) {
      const id = openCursor(cursorKeys, readCookie(request, NAME) ?? '', contextOf(user));
      if (typeof id !== 'string') return undefined;
      // A client may keep the cookie for longer than it should.
      return clock.now().getTime() - uuidTime(id).getTime() < KEPT_MS ? id : undefined;
    },
    set(response, user) {
      response.cookie(NAME, sealCursor(cursorKeys, newUuid(clock.now()), contextOf(user)), attributes);
    },
  };
}

function contextOf({ id, passwordHash }: DeviceUser): string {
  return `device of ${id} ${passwordHash}`;
}
