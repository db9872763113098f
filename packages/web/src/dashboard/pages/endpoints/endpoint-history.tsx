import type { EndpointStats } from '../../../client/resources.ts';

const BAR = 3;
const STEP = 4;
const HEIGHT = 20;

/** The attempts of the last 24 hours, a bar for each hour with the failed ones below. */
export function EndpointHistory({ hours }: { hours: EndpointStats['hours'] }) {
  const most = Math.max(1, ...hours.map(({ succeeded, failed }) => succeeded + failed));
  const heightOf = (count: number) => (count === 0 ? 0 : Math.max(1, Math.round((count / most) * HEIGHT)));
  const { attempts, failed } = attemptsOf(hours);
  return (
    <svg
      role="img"
      aria-label={`${attempts} ${attempts === 1 ? 'attempt' : 'attempts'} in 24 hours, ${failed} failed`}
      width={24 * STEP}
      height={HEIGHT}
      style={{ verticalAlign: 'middle' }}
    >
      <path d={`M0 ${HEIGHT - 0.5}H${24 * STEP}`} stroke="var(--line)" />
      {hours.map((hour, index) => {
        const low = heightOf(hour.failed);
        const high = heightOf(hour.succeeded);
        return (
          <g key={hour.at}>
            <rect x={index * STEP} y={HEIGHT - low} width={BAR} height={low} fill="var(--failed-ink)" />
            <rect x={index * STEP} y={HEIGHT - low - high} width={BAR} height={high} fill="var(--delivered-ink)" />
          </g>
        );
      })}
    </svg>
  );
}

/** The sums of the hours. */
export function attemptsOf(hours: EndpointStats['hours']): { attempts: number; failed: number } {
  const sum = (of: (hour: EndpointStats['hours'][number]) => number) =>
    hours.reduce((total, hour) => total + of(hour), 0);
  return { attempts: sum(({ succeeded, failed }) => succeeded + failed), failed: sum(({ failed }) => failed) };
}
