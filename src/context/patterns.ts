/** `readPatterns`: reads and checks the patterns of the team from the configuration (`patterns:` in mayday.yaml). */
import { RE2JS } from 're2js';
import { z } from 'zod';
import { BUILT_IN_PATTERNS } from '../core/diagnose/patterns/built-in-patterns.ts';
import type { Pattern } from '../core/diagnose/patterns/pattern.ts';
import { FAILURE_CLASS_NAMES, isFailureClass } from '../core/vocabulary/classes/failure-class.ts';
import { safeParse } from '../platform/safe-parse.ts';

/** A long pattern is a mistake; so are a thousand of them. */
const PATTERN_CHARS = 500;
const PATTERNS_MOST = 200;
const TEXT_CHARS = 2_000;

const Linear = z
  .string()
  .min(1)
  .max(PATTERN_CHARS)
  .transform((source, context) => {
    try {
      return RE2JS.compile(source);
    } catch {
      context.addIssue(
        'is not a pattern that runs in linear time (RE2 syntax: no look-around, no back-references)',
      );
      return z.NEVER;
    }
  });

const ClassName = z
  .string()
  .refine(isFailureClass, { error: `must be one of ${FAILURE_CLASS_NAMES.join(', ')}` });

const TeamPattern = z
  .strictObject({
    id: z.string().regex(/^[a-z0-9][a-z0-9-]{0,60}$/),
    title: z.string().min(1).max(TEXT_CHARS),
    when: z
      .strictObject({
        says: z.array(Linear).min(1).max(20).optional(),
        commands: z.array(Linear).min(1).max(20).optional(),
        classes: z.array(ClassName).min(1).optional(),
        work: z.enum(['partial', 'complete']).optional(),
      })
      .refine((when) => Object.keys(when).length > 0, { error: 'needs at least one condition' }),
    class: ClassName.optional(),
    cause: z.string().min(1).max(TEXT_CHARS).optional(),
    recoverable: z.boolean().optional(),
    recovery: z.string().min(1).max(TEXT_CHARS),
    prevention: z.string().min(1).max(TEXT_CHARS),
  })
  .transform(
    ({ class: failureClass, ...rest }) =>
      ({ ...rest, ...(failureClass === undefined ? {} : { failureClass }) }) as Pattern,
  );

const TeamPatterns = z.array(TeamPattern).max(PATTERNS_MOST);

export type PatternsRead =
  | { readonly type: 'read'; readonly patterns: readonly Pattern[] }
  /** One sentence per mistake, with where it stands. */
  | { readonly type: 'refused'; readonly reasons: readonly string[] };

/** The team's own patterns come first, then the built-in ones; an own pattern with a built-in id replaces it. */
export function readPatterns(value: unknown): PatternsRead {
  if (value === undefined || value === null) return { type: 'read', patterns: BUILT_IN_PATTERNS };
  const parsed = safeParse(TeamPatterns, value);
  if (!parsed.success)
    return {
      type: 'refused',
      reasons: parsed.error.issues.map((issue) => `patterns.${issue.path.join('.')}: ${issue.message}`),
    };
  const own = new Set(parsed.data.map((pattern) => pattern.id));
  return {
    type: 'read',
    patterns: [...parsed.data, ...BUILT_IN_PATTERNS.filter((pattern) => !own.has(pattern.id))],
  };
}
