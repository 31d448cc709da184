/** `prometheusText`: the figures of the fleet for a Prometheus server. */
import { FIGURES, type FleetFigures, type Samples } from '../supervise/fleet-figures.ts';

export function prometheusText(figures: FleetFigures): string {
  return FIGURES.map(({ name, type, help, samples }) =>
    [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`, ...lines(name, samples(figures)), ''].join('\n'),
  ).join('');
}

function lines(name: string, samples: Samples): readonly string[] {
  if (typeof samples === 'number') return [`${name} ${samples}`];
  return [...samples.counts].map(([value, count]) => `${name}{${samples.by}="${escaped(value)}"} ${count}`);
}

function escaped(value: string): string {
  return value.replaceAll('\\', '\\\\').replaceAll('"', String.raw`\"`).replaceAll('\n', String.raw`\n`);
}
