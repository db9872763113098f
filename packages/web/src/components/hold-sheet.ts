import { createContext, useContext, useEffect } from 'react';

/**
 * What a side sheet is held for: the answer of a change that is being made or of the reader to a question over the sheet, or
 * a secret that closes by its own button.
 */
export type HeldFor = 'answer' | 'secret';

/**
 * Holds the surrounding side sheet open until the returned function is called. Outside of a side sheet it does nothing.
 */
type Hold = (heldFor: HeldFor) => () => void;

export const HoldContext = createContext<Hold>(() => () => undefined);

/**
 * Holds the surrounding side sheet open: Escape and clicks outside do not close it, because its content would be lost.
 * A sheet that awaits an answer can still be closed by the button in its corner, because the answer may never come.
 */
export function useHeldSheet(heldFor: HeldFor | null): void {
  const hold = useContext(HoldContext);
  useEffect(() => (heldFor === null ? undefined : hold(heldFor)), [hold, heldFor]);
}
