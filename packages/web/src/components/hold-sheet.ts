import { createContext, useContext, useEffect } from 'react';

/**
 * What a side sheet is held for: the answer of a change that is being made or of the reader to a question over the sheet, or
 * a secret that closes by its own button.
 */
export type HeldFor = 'answer' | 'secret';

/** Holds the side sheet around it open until the returned function is called. Outside of one it does nothing. */
type Hold = (heldFor: HeldFor) => () => void;

export const HoldContext = createContext<Hold>(() => () => undefined);

/**
 * While it is held, a sheet closes neither by Escape nor by a click outside, because its content would be lost. One that
 * waits for an answer still closes by the button in its corner, because that answer may never come.
 */
export function useHeldSheet(heldFor: HeldFor | null): void {
  const hold = useContext(HoldContext);
  useEffect(() => (heldFor === null ? undefined : hold(heldFor)), [hold, heldFor]);
}
