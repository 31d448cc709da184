/** `NotifySchema`: who is told what outside of Mayday, in `mayday.yaml` of Mayday's own folder. */
import { createHash } from 'node:crypto';
import { z } from 'zod';
import { NOTICE_TYPES } from '../../core/view/notices.ts';

const events = z
  .array(z.enum(NOTICE_TYPES))
  .min(1)
  .default(['question', 'abandoned'])
  .describe('which notices; default: question, abandoned');

export const NotifySchema = z.array(
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
  ]),
);

export type NotifyTarget = z.output<typeof NotifySchema>[number];

/** The name under which the outbox knows a target: another address is another receiver. */
export function targetName(target: NotifyTarget): string {
  const where = 'webhook' in target ? `webhook ${target.webhook}` : `command ${target.command.join(' ')}`;
  return createHash('sha256').update(where).digest('hex').slice(0, 16);
}

/** For people: the path of an address is often its password. */
export function targetWords(target: NotifyTarget): string {
  return 'webhook' in target
    ? `webhook ${new URL(target.webhook).host}`
    : `command ${target.command[0] ?? ''}`;
}
