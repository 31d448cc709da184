/**
 * `RehearsalScript`: what the rehearsal agent does in each attempt. It is part of the drill format and is also read from outside the
 * project.
 */
import { z } from 'zod';

const MAX_STEPS = 10_000;
const MAX_NESTING = 8;

const Text = z.string().max(10_000_000);
const Seconds = z.number().min(0).max(86_400);
const Path = Text.refine((path) => path !== '' && !path.includes('\0'), 'a path without NUL');

const Simple = z.union([
  z.strictObject({ say: Text }),
  z.strictObject({
    tool: z.strictObject({
      name: Text,
      input: z.unknown(),
      result: z.unknown().optional(),
      error: z.unknown().optional(),
    }),
  }),
  z.strictObject({ write: z.record(Path, Text) }),
  z.strictObject({ append: z.record(Path, Text) }),
  z.strictObject({ delete: z.array(Path) }),
  z.strictObject({ run: Text }),
  z.strictObject({ sleep: Seconds }),
  z.strictObject({ hang: Seconds }),
  z.strictObject({ spin: Seconds }),
  z.strictObject({
    flood: z.strictObject({
      bytes: z.number().min(0).max(1e11),
      line_bytes: z.number().min(1).max(1e9).optional(),
    }),
  }),
  z.strictObject({ spawn: Text }),
  z.strictObject({ ignore: z.array(Text) }),
  z.strictObject({ signal: Text }),
  z.strictObject({ exit: z.number().int().min(0).max(255) }),
  z.strictObject({
    usage: z.strictObject({
      tokens: z.number().min(0),
      cost_usd: z.number().min(0).optional(),
      turns: z.number().min(0).optional(),
    }),
  }),
  z.strictObject({
    checkpoint: z.strictObject({
      completed: z.array(Text).optional(),
      created_files: z.array(Text).optional(),
      next_actions: z.array(Text).optional(),
    }),
  }),
  z.strictObject({
    blocker: z.strictObject({
      reason: Text,
      code: Text.optional(),
      question: Text.optional(),
      options: z.array(Text).optional(),
    }),
  }),
  z.strictObject({ error: Text }),
  z.strictObject({ claim: Text }),
]);

export type RehearsalStep =
  | z.infer<typeof Simple>
  | { readonly loop: { readonly times: number; readonly steps: readonly RehearsalStep[] } };

/** Checked level by level: a YAML alias may point back at itself, and a recursive schema would follow it for ever. */
const steps = (depth: number): z.ZodType<RehearsalStep[]> =>
  z
    .array(
      depth === 0
        ? Simple
        : z.union([
            Simple,
            z.strictObject({
              loop: z.strictObject({
                times: z.number().int().min(0).max(1e6),
                steps: z.lazy(() => steps(depth - 1)),
              }),
            }),
          ]),
    )
    .max(MAX_STEPS) as z.ZodType<RehearsalStep[]>;

export const RehearsalScript = z.strictObject({
  attempts: z
    .array(
      z.strictObject({
        when: z.strictObject({ brief_includes: z.union([Text, z.array(Text)]) }).optional(),
        steps: steps(MAX_NESTING),
      }),
    )
    .min(1),
});
export type RehearsalScript = z.infer<typeof RehearsalScript>;
