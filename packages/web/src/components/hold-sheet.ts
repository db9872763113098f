import { createContext, useContext, useEffect } from 'react';

/** Holds the side sheet around it open until the returned function is called. Outside of one it does nothing. */
type Hold = () => () => void;

export const HoldContext = createContext<Hold>(() => () => undefined);

/** While it is held, a sheet closes neither by Escape nor by a click outside, because its content would be lost. */
export function useHeldSheet(isHeld: boolean): void {
  const hold = useContext(HoldContext);
  useEffect(() => (isHeld ? hold() : undefined), [hold, isHeld]);
}
