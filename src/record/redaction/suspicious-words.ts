/** `suspiciousWords`: the pattern of all words that stand near a secret. */
import { CONTEXT_RULES } from './context-rules.ts';
import { SECRET_WORDS } from './secret-context.ts';

/** Made with the first text: a command that only reads has none to redact, and starts sooner. */
let pattern: RegExp | null = null;

export function suspiciousWords(): RegExp {
  return (pattern ??= patternOfAll());
}

function patternOfAll(): RegExp {
  const words = [...new Set([...SECRET_WORDS, ...CONTEXT_RULES.flatMap(({ hints }) => hints)])]
    .filter((word, _, all) => !all.some((other) => other !== word && word.includes(other)))
    // The engine then tries words with the same beginning together.
    .toSorted()
    .map((word) => word.replaceAll(/[.*]/g, '\\$&'));
  return new RegExp(words.join('|'), 'gi');
}
