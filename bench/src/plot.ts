/** A point in a plot: x and y. */
export type Point = [x: number, y: number];

/** The data of a plot. It is also written as JSON for other tools. */
export type Plot =
  | { kind: 'lines'; title: string; x: string; y: string; lines: readonly { name: string; points: readonly Point[] }[] }
  | { kind: 'bars'; title: string; unit: string; bars: readonly { name: string; value: number; faint?: boolean }[] };

const WIDTH = 640;
const COLOURS = ['#3b82f6', '#f59e0b', '#10b981', '#ec4899', '#8b5cf6', '#64748b'];
const MAX_POINTS = 240;

/** Draws the plot as an SVG picture with its own background, so that it is readable on light and dark pages. */
export function drawPlot(plot: Plot): string {
  const { height, content } = plot.kind === 'lines' ? drawLines(plot) : drawBars(plot);
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" role="img" aria-label="${escapeXml(plot.title)}">
<style>
text { font: 12px system-ui, sans-serif; fill: #334155 } .title { font-size: 14px; font-weight: 600 } .grid { stroke: #94a3b8; stroke-opacity: .3 } .paper { fill: #fff }
@media (prefers-color-scheme: dark) { text { fill: #cbd5e1 } .paper { fill: #0f172a } }
</style>
<rect class="paper" width="${WIDTH}" height="${height}" rx="6"/>
<text x="8" y="20" class="title">${escapeXml(plot.title)}</text>
${content}
</svg>
`;
}

type Drawn = { height: number; content: string };

function drawLines({ x, y, lines }: Extract<Plot, { kind: 'lines' }>): Drawn {
  const [left, top, right, bottom] = [64, 56, WIDTH - 16, 268];
  const all = lines.flatMap((line) => line.points);
  const ticksX = ticks(Math.max(0, ...all.map(([value]) => value)));
  const ticksY = ticks(Math.max(0, ...all.map(([, value]) => value)));
  const placeX = (value: number) => left + (value / (ticksX.at(-1) ?? 1)) * (right - left);
  const placeY = (value: number) => bottom - (value / (ticksY.at(-1) ?? 1)) * (bottom - top);
  const content = [
    ...ticksY.map(
      (tick) =>
        `<line class="grid" x1="${left}" x2="${right}" y1="${round(placeY(tick))}" y2="${round(placeY(tick))}"/><text x="${left - 8}" y="${round(placeY(tick) + 4)}" text-anchor="end">${label(tick)}</text>`,
    ),
    ...ticksX.map(
      (tick) => `<text x="${round(placeX(tick))}" y="${bottom + 18}" text-anchor="middle">${label(tick)}</text>`,
    ),
    `<text x="${(left + right) / 2}" y="${bottom + 38}" text-anchor="middle">${escapeXml(x)}</text>`,
    `<text x="14" y="${(top + bottom) / 2}" text-anchor="middle" transform="rotate(-90 14 ${(top + bottom) / 2})">${escapeXml(y)}</text>`,
    ...lines.map(({ points }, index) => {
      const places = thin(points).map(([a, b]) => `${round(placeX(a))},${round(placeY(b))}`);
      return `<polyline fill="none" stroke="${colour(index)}" stroke-width="2" stroke-linejoin="round" points="${places.join(' ')}"/>`;
    }),
    ...legend(lines.map(({ name }) => name)),
  ];
  return { height: bottom + 48, content: content.join('\n') };
}

function drawBars({ unit, bars }: Extract<Plot, { kind: 'bars' }>): Drawn {
  const longest = Math.max(...bars.map(({ name }) => name.length));
  const [left, top, right, step] = [24 + Math.min(longest, 46) * 6.4, 36, WIDTH - 110, 24];
  const most = Math.max(...bars.map(({ value }) => value), Number.MIN_VALUE);
  const content = bars.map(({ name, value, faint }, index) => {
    const y = top + index * step;
    const width = Math.max(1, ((right - left) * Math.max(0, value)) / most);
    return `<text x="${left - 8}" y="${y + 14}" text-anchor="end">${escapeXml(name)}</text><rect x="${left}" y="${y + 2}" width="${round(width)}" height="16" rx="2" fill="${colour(faint ? 5 : 0)}"/><text x="${round(left + width + 6)}" y="${y + 14}">${label(value)} ${escapeXml(unit)}</text>`;
  });
  return { height: top + bars.length * step + 8, content: content.join('\n') };
}

function legend(names: readonly string[]): string[] {
  let x = 64;
  return names.map((name, index) => {
    const drawn = `<rect x="${x}" y="32" width="12" height="12" rx="2" fill="${colour(index)}"/><text x="${x + 17}" y="42">${escapeXml(name)}</text>`;
    x += 35 + name.length * 7;
    return drawn;
  });
}

/** Round values from 0 to at least `most`. */
function ticks(most: number): number[] {
  const rough = (most || 1) / 5;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = ([1, 2, 5].find((factor) => factor * power >= rough) ?? 10) * power;
  return Array.from({ length: Math.ceil((most || 1) / step - 1e-9) + 1 }, (_, index) => index * step);
}

function thin(points: readonly Point[]): Point[] {
  const every = Math.ceil(points.length / MAX_POINTS);
  return points.filter((_, index) => index % every === 0 || index === points.length - 1);
}

function colour(index: number): string {
  return COLOURS[index % COLOURS.length] ?? '';
}

function label(value: number): string {
  return value >= 100
    ? Math.round(value).toLocaleString('en-US')
    : value.toLocaleString('en-US', { maximumSignificantDigits: 3 });
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}

function escapeXml(text: string): string {
  return text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);
}
