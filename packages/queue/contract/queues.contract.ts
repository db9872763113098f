import { describe } from '@jest/globals';
import { liveContract } from './live.contract.ts';
import type { Maker } from './maker.ts';
import { probesContract } from './probes.contract.ts';
import { pullWakeContract } from './pull-wake.contract.ts';
import { throttleContract } from './throttle.contract.ts';

/** The promises that every way to keep the queues must meet. */
export function queuesContract(maker: Maker): void {
  describe('limits of endpoints', () => throttleContract(maker));
  describe('probes', () => probesContract(maker));
  describe('live changes', () => liveContract(maker));
  describe('waiting consumers', () => pullWakeContract(maker));
}
