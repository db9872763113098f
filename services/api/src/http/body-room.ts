import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { createTurnsByKey, type TurnsByKey } from '@posthorn/runtime/turns';
import type { Principal } from '../auth/principal.ts';
import { ApiError } from './error.ts';

/** The tenant that the body of a request belongs to. A portal session names its application. */
export type BodyOwner = { workspaceId: string; applicationId?: string };

/**
 * Waits until there is room for a body of this many bytes, and keeps the room until the request has ended. Call it before
 * the body is read. Throws `rate_limited` where the owner has no room of its own, and `unavailable` where the process has
 * none.
 */
export type TakeBodyRoom = (response: ServerResponse, owner: BodyOwner, bytes: number) => Promise<void>;

const MEBIBYTE = 1024 * 1024;
/**
 * Bodies of at most this size have room of their own. So larger ones, of which a few that arrive slowly take all of
 * theirs, delay no event and no change of usual size. A body of unknown length is small until it has become larger.
 */
export const MAX_SMALL_BYTES = 16 * 1024;
/**
 * The bytes of bodies that are being read or processed, 64 MiB in all. A process without them takes about 150 MiB, and
 * the values that are parsed from a body may take three times its size. The chart gives a process 384 MiB.
 */
const MAX_BYTES = { small: 16 * MEBIBYTE, large: 48 * MEBIBYTE };
/**
 * The part of one workspace: 12 MiB of large bodies are 48 of 256 KiB, or 12 batches of the largest size. A faster
 * producer is slowed down, not refused: a body waits while earlier ones of its workspace are stored, which takes
 * milliseconds.
 */
const PART_OF_WORKSPACE = 1 / 4;
const PART_OF_PORTAL = PART_OF_WORKSPACE / 4;
/** As long as a change waits for its turn. */
const LONGEST_WAIT_MS = 5_000;
/** A request that waits keeps up to 64 KiB of its body in the buffers of its connection. */
const MAX_WAITING = { process: 1_000, workspace: 250, portal: 60 };

export function createBodyRoom(): TakeBodyRoom {
  const small = createRooms('small');
  const large = createRooms('large');
  const whenEnded = createEnds();
  return async (response, { workspaceId, applicationId }, bytes) => {
    const { ofProcess, ofWorkspace, ofPortal } = bytes <= MAX_SMALL_BYTES ? small : large;
    const rooms: [TurnsByKey, string][] = [
      [ofWorkspace, workspaceId],
      [ofProcess, ''],
    ];
    if (applicationId !== undefined) rooms.unshift([ofPortal, applicationId]);
    let taken = 0;
    const giveBack = () => {
      for (const [turns, key] of rooms.slice(0, taken)) turns.end(key, bytes);
    };
    try {
      for (const [turns, key] of rooms) {
        const turn = turns.begin(key, bytes);
        if (turn !== undefined) await turn;
        taken += 1;
      }
    } catch (error) {
      giveBack();
      throw error;
    }
    whenEnded(response, giveBack);
  };
}

/** The room of all bodies of a size, and the parts of it that one owner may take. */
function createRooms(size: 'small' | 'large') {
  const limits = (most: number, mostWaiting: number) => ({ atOnce: most, mostWaiting, longestWaitMs: LONGEST_WAIT_MS });
  const ofOwner = (owner: 'workspace' | 'portal', part: number) => {
    const most = MAX_BYTES[size] * part;
    const tooMany = `The ${size} bodies of this ${owner} that are being read or processed may have ${most / MEBIBYTE} MiB`;
    return createTurnsByKey({ ...limits(most, MAX_WAITING[owner]), refusal: () => refusal('rate_limited', tooMany) });
  };
  const ofProcess = createTurnsByKey({
    ...limits(MAX_BYTES[size], MAX_WAITING.process),
    refusal: () => refusal('unavailable', 'The service is busy with the bodies of other requests'),
  });
  return {
    ofProcess,
    ofWorkspace: ofOwner('workspace', PART_OF_WORKSPACE),
    ofPortal: ofOwner('portal', PART_OF_PORTAL),
  };
}

/** The owner of the bodies of a caller. */
export function ownerOf({ workspace, grant }: Principal): BodyOwner {
  const workspaceId = workspace.id;
  return grant.kind === 'capabilities' ? { workspaceId, applicationId: grant.applicationId } : { workspaceId };
}

function refusal(code: 'rate_limited' | 'unavailable', message: string): ApiError {
  return new ApiError(code, `${message}; try again`, { 'Retry-After': '1' });
}

/** Calls back once, when the answer is sent or the connection has closed. */
function createEnds(): (response: ServerResponse, onEnd: () => void) => void {
  // Node emits no `close` for an answer that waits behind another one of its connection.
  const ofSocket = new WeakMap<Socket, Set<() => void>>();
  const endsOf = (socket: Socket) => {
    const known = ofSocket.get(socket);
    if (known !== undefined) return known;
    const ends = new Set<() => void>();
    ofSocket.set(socket, ends);
    socket.once('close', () => {
      for (const end of ends) end();
    });
    return ends;
  };
  return (response, onEnd) => {
    const { socket } = response.req;
    if (response.closed || socket.destroyed) return onEnd();
    const ends = endsOf(socket);
    const end = () => {
      if (ends.delete(end)) onEnd();
    };
    ends.add(end);
    response.once('close', end);
  };
}
