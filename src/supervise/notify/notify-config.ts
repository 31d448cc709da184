/** `notifySchema`, `targetsOf`: who is told what outside of Mayday, by `mayday.yaml` of Mayday's own folder and the `OTEL_*` variables. */
import { createHash } from 'node:crypto';
import { z } from 'zod';
import { NOTICE_TYPES, type NoticeType } from '../../core/view/notices.ts';
import { type Collector, collectorOf } from './otlp.ts';

const events = z
  .array(z.enum(NOTICE_TYPES))
  .min(1)
  .default(['question', 'abandoned'])
  .describe('which notices; default: question, abandoned');
export const notifySchema = z.array(
  z.union([
    z.strictObject({
      webhook: z.url({ protocol: /^https?$/ }),
      form: z.enum(['mayday', 'slack']).default('mayday'),
      secret_variable: z
        .string()
        .min(1)
        .optional()
        .describe('environment variable with the signing secret; never the secret itself'),
      events,
    }),
    z.strictObject({ command: z.array(z.string().min(1)).min(1), events }),
    z.strictObject({ bell: z.literal(true).describe('of the terminals at which Mayday is open'), events }),
  ]),
);

/** A collector of traces is told of every run that ends. */
export interface TraceTarget {
  readonly collector: Collector;
  readonly events: readonly NoticeType[];
}

/** Told the figures of all runs every minute, whatever happens. */
export interface FigureTarget {
  readonly figures: Collector;
  readonly events: readonly NoticeType[];
}

/** As collectors are used to it. */
export const FIGURES_EVERY_MS = 60_000;

type Configured = z.output<typeof notifySchema>[number];
/** A bell is rung by the process at the terminal, and has no outbox. */
export type NotifyTarget = Exclude<Configured, { readonly bell: true }> | TraceTarget | FigureTarget;

export function targetsOf(
  notify: z.output<typeof notifySchema> = [],
  env: NodeJS.ProcessEnv,
): NotifyTarget[] {
  const collector = collectorOf(env, 'traces');
  const figures = collectorOf(env, 'metrics');
  const ends = NOTICE_TYPES.filter((type) => type !== 'question' && type !== 'incident');
  return [
    ...notify.flatMap((one) => ('bell' in one ? [] : [one])),
    ...(collector === null ? [] : [{ collector, events: ends }]),
    ...(figures === null ? [] : [{ figures, events: [] }]),
  ];
}

/** The name under which the outbox knows a target: another address is another receiver. */
export function targetName(target: NotifyTarget): string {
  return createHash('sha256').update(addressOf(target)).digest('hex').slice(0, 16);
}

function addressOf(target: NotifyTarget): string {
  if ('collector' in target) return `collector ${target.collector.url}`;
  if ('figures' in target) return `figures ${target.figures.url}`;
  return 'webhook' in target ? `webhook ${target.webhook}` : `command ${target.command.join(' ')}`;
}

/** For people: the path of an address is often its password. */
export function targetWords(target: NotifyTarget): string {
  if ('collector' in target) return `collector ${new URL(target.collector.url).host}`;
  if ('figures' in target) return `collector of metrics ${new URL(target.figures.url).host}`;
  return 'webhook' in target
    ? `webhook ${new URL(target.webhook).host}`
    : `command ${target.command[0] ?? ''}`;
}
